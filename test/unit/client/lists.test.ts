// Lists are walked in order and to their end, however many requests run at once.
import { describe, expect, test } from 'vitest';
import { toPage, walkIdSets, walkPages } from '#client/lists.ts';

/** Pages of one number each, of which later ones come sooner. */
function reader(last: number): { readonly read: (page: number) => Promise<any>; readonly most: () => number } {
  let running = 0;
  let most = 0;
  return {
    most: () => most,
    read: async (page) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 2 * (last - page)));
      running -= 1;
      return { this_page: page, last_page: last, results: [page] };
    },
  };
}

describe('pages', () => {
  test.each([
    [1, 1],
    [3, 3],
    [9, 6],
  ])('come in order with %i at once', async (atOnce, most) => {
    const pages = reader(7);
    const seen = await Array.fromAsync(walkPages(pages.read, { atOnce }));
    expect(seen.map(({ this_page }) => this_page)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(pages.most()).toBe(most);
  });

  test('are not read further than they are asked for', async () => {
    const asked: number[] = [];
    const { read } = reader(50);
    for await (const page of walkPages(async (number) => (asked.push(number), await read(number)), { atOnce: 2 }))
      if (page.this_page === 3) break;
    expect(asked).toEqual([1, 2, 3, 4]);
  });

  test('pass a failure on', async () => {
    const { read } = reader(3);
    const walk = walkPages(async (page) => (page === 2 ? Promise.reject(new Error('gone')) : read(page)), {
      atOnce: 3,
    });
    await expect(Array.fromAsync(walk)).rejects.toThrow('gone');
  });

  test('are read out of any reply', () => {
    expect(toPage(null)).toEqual({ this_page: 1, last_page: 1, total: 0, results: [] });
    expect(toPage({ this_page: 2, last_page: 3, total: 9, results: [{ a: 1 }, 'b'] }).results).toEqual([{ a: 1 }]);
  });
});

describe('sets of ids', () => {
  test('hold every id once, and no more than the service takes', async () => {
    const ids = Array.from({ length: 601 }, (_, index) => index + 1);
    const sizes = await Array.fromAsync(
      walkIdSets(
        async () => ids,
        async (some) => some,
        { size: 1000, atOnce: 2 },
      ),
    );
    expect(sizes.map((some) => some.length)).toEqual([250, 250, 101]);
    expect(sizes.flat()).toEqual(ids);
  });

  test('are none where there is nothing', async () => {
    expect(
      await Array.fromAsync(
        walkIdSets(
          async () => [],
          async () => 1,
        ),
      ),
    ).toEqual([]);
  });
});

// Trees changed in a real browser: moving by keys and by dragging and back again, adding, finding within, publishing.
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { ok } from '#test/support/api.ts';
import type { ConsolePage, ServedConsole } from '#test/support/console.ts';
import { browserForConsole, serveConsole } from '#test/support/console.ts';
import { siblingsAsRows } from '#test/support/large-tree.ts';
import { amount } from '#test/support/long.ts';
import { resourceBody } from '#test/support/records.ts';

const path = browserForConsole();
const manySiblings = amount(10_000, 100_000);
// Of a row, and of the edge of the box of rows, as the style sheet has them.
const [rowPixels, edge] = [34, 1];

describe.skipIf(path === null)('trees in the console', () => {
  let served: ServedConsole;
  let api: TestApi;
  let console: ConsolePage;
  let page: Page;
  let repoId: number;
  let root: string;
  const nodes = new Map<string, string>();
  beforeAll(async () => {
    served = await serveConsole(path);
    ({ api, console, page } = served);
    repoId = Number(served.repository.split('/').at(-1));
  });
  afterAll(() => served?.[Symbol.asyncDispose]());

  // Series 1 and 2 with three files each, and Series 3 without any.
  let count = 0;
  beforeEach(async () => {
    count += 1;
    root = await api.create(
      `/repositories/${repoId}/resources`,
      resourceBody(`tree${count}`, { title: 'Records of the pilots', publish: false }),
    );
    nodes.clear();
    for (const series of ['Series 1', 'Series 2', 'Series 3']) {
      nodes.set(series, await component(series));
      for (const letter of series === 'Series 3' ? [] : ['a', 'b', 'c'])
        nodes.set(`${series}${letter}`, await component(`File ${series.slice(-1)}${letter}`, nodes.get(series)));
    }
    await console.open(`/tree${root}`);
    await row('Series 3').waitFor();
  });
  const component = (title: string, parent?: string): Promise<string> =>
    api.create(`/repositories/${repoId}/archival_objects`, {
      title,
      level: 'file',
      publish: false,
      resource: { ref: root },
      ...(parent === undefined ? {} : { parent: { ref: parent } }),
    });
  const row = (title: string): Locator => page.getByRole('treeitem', { name: title });
  const shown = (): Promise<readonly string[]> => page.locator('.row a').allTextContents();
  const below = async (series: string | null): Promise<readonly string[]> => {
    const query = series === null ? '' : `&parent_node=${nodes.get(series)}`;
    const entries = (await api.get(`${root}/tree/waypoint?offset=0${query}`)).json;
    return entries.map((entry: { readonly title: string }) => entry.title);
  };
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const says = (text: string | RegExp): Promise<void> =>
    page.locator('#said').filter({ hasText: text }).waitFor({ state: 'attached' });
  /** What a browser tells while something is dragged from one row and dropped on another, `part` of its height below its top. */
  const drag = async (from: Locator, to: Locator, part: number): Promise<void> => {
    const dataTransfer = await page.evaluateHandle('new DataTransfer()');
    const { y = 0, height = 0 } = (await to.boundingBox()) ?? {};
    const over = { dataTransfer, clientY: y + height * part };
    await from.dispatchEvent('dragstart', { dataTransfer });
    // What is dragged is picked once the browser has taken its picture of it.
    await page.locator('.row.picked').first().waitFor();
    await to.dispatchEvent('dragover', over);
    await page.locator('.row[class*=drop-]').waitFor();
    await to.dispatchEvent('drop', over);
  };

  it('moves several rows by keys, and takes that back', async () => {
    await page.getByRole('tree').focus();
    await press('ArrowRight', 'ArrowDown');
    await page.locator('.row.active', { hasText: 'File 1a' }).waitFor();
    await press('Shift+ArrowDown');
    await says('2 picked');
    expect(await row('File 1b').getAttribute('aria-selected')).toBe('true');
    expect(await row('File 1c').getAttribute('aria-selected')).toBe('false');
    expect(await console.faults()).toEqual([]);
    await console.picture('tree-picked');
    await press('Control+x');
    await says('2 cut');
    await press('End', 'Control+Shift+v');
    await says('2 moved.');
    expect(await below('Series 1')).toEqual(['File 1c']);
    expect(await below('Series 3')).toEqual(['File 1a', 'File 1b']);
    // Where they came to is open, and what was open still is.
    await page.locator('.row.active', { hasText: 'File 1a' }).waitFor();
    expect(await shown()).toEqual(['Series 1', 'File 1c', 'Series 2', 'Series 3', 'File 1a', 'File 1b']);
    await press('Control+z');
    await says('The move was taken back.');
    expect(await below('Series 1')).toEqual(['File 1a', 'File 1b', 'File 1c']);
    expect(await below('Series 3')).toEqual([]);
    await press('Home', 'Control+x', 'ArrowDown', 'Control+v');
    await says('Nothing can be moved below itself.');
    expect(console.watched.broken).toEqual([]);
  });

  it('moves by dragging: before, into and behind a row', async () => {
    await drag(row('Series 3'), row('Series 1'), 0.1);
    await says('1 moved.');
    expect(await below(null)).toEqual(['Series 3', 'Series 1', 'Series 2']);
    await drag(row('Series 1'), row('Series 2'), 0.9);
    await expect.poll(shown).toEqual(['Series 3', 'Series 2', 'Series 1']);
    await page.locator('.tree[aria-busy=false]').waitFor();
    await row('Series 1').locator('.mark').click();
    await row('Series 2').locator('.mark').click();
    await drag(row('Series 2'), row('Series 3'), 0.5);
    await expect.poll(() => below('Series 3')).toEqual(['Series 2', 'Series 1']);
    await page.getByRole('button', { name: 'Undo the move' }).click();
    await says('The move was taken back.');
    expect(await below(null)).toEqual(['Series 3', 'Series 2', 'Series 1']);
  });

  it('tells what went wrong with a move until it is read, whatever rows come meanwhile', async () => {
    // More rows than there are, which come late.
    await page.route(`**${root}/tree/root`, async (route) => {
      const json = await (await route.fetch()).json();
      await route.fulfill({ json: { ...json, child_count: 400, waypoints: 2 } });
    });
    const { promise: isTold, resolve: letGo } = Promise.withResolvers<void>();
    await page.route('**/tree/waypoint?offset=1*', async (route) => {
      await isTold;
      await route.fulfill({ json: [] });
    });
    await page.route('**/accept_children', (route) => route.fulfill({ status: 400, json: { error: 'Not so' } }));
    await console.open(`/tree${root}`);
    await row('Series 3').waitFor();
    const isAsked = page.waitForRequest(/waypoint\?offset=1/);
    await page.evaluate("document.querySelector('.tree').scrollTop = 300 * 34");
    await isAsked;
    await page.getByRole('tree').focus();
    await press('Control+x', 'ArrowDown', 'Control+v');
    const told = page.getByRole('alert').filter({ hasText: 'Not so' });
    await told.waitFor();
    const isThere = page.waitForResponse(/waypoint\?offset=1/);
    letGo();
    await (await isThere).finished();
    // Later than what came is drawn.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await told.count()).toBe(1);
    await told.getByRole('button').click();
    await told.waitFor({ state: 'detached' });
    await page.unrouteAll();
  });

  it('adds a child and a sibling by the form, and comes back to them in the tree', async () => {
    await page.getByRole('link', { name: 'Add behind' }).click();
    await page.locator('#f-title').fill('Series 1½');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.row.active', { hasText: 'Series 1½' }).waitFor();
    expect(await below(null)).toEqual(['Series 1', 'Series 1½', 'Series 2', 'Series 3']);
    await page.getByRole('link', { name: 'Add below' }).click();
    await page.locator('#f-title').fill('A letter');
    await page.locator('#f-level').selectOption('item');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.row.active', { hasText: 'A letter' }).waitFor();
    expect(await page.locator('.row.active').getAttribute('aria-level')).toBe('2');
    const empty = await api.create(`/repositories/${repoId}/resources`, resourceBody(`empty${count}`));
    await console.open(`/tree${empty}`);
    await page.getByText('Nothing stands below this record yet.').waitFor();
    expect(await console.faults()).toEqual([]);
    await page.getByRole('link', { name: 'Add the first one' }).click();
    await page.locator('#f-title').waitFor();
  });

  it('finds a row that is not open, and publishes what is picked with everything below', async () => {
    const found = async (): Promise<number> =>
      (
        await api.get(
          `/repositories/${repoId}/search?q=2c&page=1&filter_term[]=${encodeURIComponent(JSON.stringify({ resource: root }))}`,
        )
      ).json.total_hits;
    await expect.poll(found).toBe(1);
    await page.getByLabel('Find in this tree').fill('file 2c');
    await page.getByRole('option', { name: 'File 2c' }).waitFor();
    await press('ArrowDown', 'Enter');
    await page.locator('.row.active', { hasText: 'File 2c' }).waitFor();
    await press('ArrowLeft');
    await page.locator('.row.active', { hasText: 'Series 2' }).waitFor();
    await page.getByRole('button', { name: 'Publish', exact: true }).press('Enter');
    const question = page.getByRole('dialog', { name: 'Publish, with everything below?' });
    expect(await question.textContent()).toContain('Series 2');
    expect(await console.faults()).toEqual([]);
    await question.getByRole('button', { name: 'Publish' }).press('Enter');
    await says('Done.');
    // The button was shut off while it was done: the focus is where it stands.
    await expect
      .poll(() => page.evaluate("document.activeElement.getAttribute('aria-label')"))
      .toBe('What to do with rows');
    const isPublic = async (node: string): Promise<boolean> => (await api.get(nodes.get(node) ?? '')).json.publish;
    expect(await Promise.all(['Series 2', 'Series 2c', 'Series 1'].map(isPublic))).toEqual([true, true, false]);
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
    await expect.poll(() => isPublic('Series 2c')).toBe(false);
  });

  it('picks all rows up to another one, those too that nobody has seen, and tells where more cannot be', async () => {
    const count = 2500;
    ({ resource: root } = await siblingsAsRows(api, repoId, { code: 'range', count }));
    await console.open(`/tree${root}`);
    await row('File 0').waitFor();
    await page.getByRole('tree').focus();
    await press('ArrowDown', 'Shift+End');
    await page.locator('.tree-status', { hasText: '2,000 picked: no more can be picked at once.' }).waitFor();
    await press('Escape', 'ArrowUp', 'Shift+PageUp');
    await page.locator('.tree-status', { hasText: /^\d\d picked$/ }).waitFor();
    await press('Escape', 'Home');
    await row('File 0').waitFor();
    await page.locator('.tree').evaluate((box: { scrollTop: number }, top) => {
      box.scrollTop = top;
    }, 1000 * rowPixels);
    await row('File 1003').click({ modifiers: ['Shift'], position: { x: 400, y: 10 } });
    await page.locator('.tree-status', { hasText: '1,004 picked' }).waitFor();
    expect(console.watched.broken).toEqual([]);
  });

  it('opens siblings by the ten thousand, goes to any of them, and moves the last of them across and back', async () => {
    const { resource, first } = await siblingsAsRows(api, repoId, {
      code: 'large',
      count: manySiblings,
      root: { title: 'Log sheets' },
    });
    const wanted = Math.floor(0.87 * manySiblings) + 53;
    const far = `/repositories/${repoId}/archival_objects/${first + wanted}`;
    ok(await api.post(far, { ...(await api.get(far)).json, title: 'Wreck of the Argo' }));
    const active = page.locator('.row.active');
    const rowsMade: number[] = [];
    /** How far a row is from the upper edge of the tree's box, and its lower edge from that of the box, in pixels. */
    const distances = async (shown: Locator): Promise<{ readonly top: number; readonly bottom: number }> => {
      const [inner, outer] = await Promise.all([shown.boundingBox(), page.getByRole('tree').boundingBox()]);
      if (inner === null || outer === null) throw new Error('It is not shown.');
      return { top: inner.y - outer.y - edge, bottom: outer.y + outer.height - edge - inner.y - inner.height };
    };
    /** The row somebody is on: what it says to those who do not see it. */
    const isOn = async (title: string, place: number): Promise<void> => {
      await page.locator(`.row.active[aria-posinset="${place}"]`, { hasText: title }).waitFor();
      rowsMade.push(await page.getByRole('treeitem').count());
      const told = ['aria-level', 'aria-setsize'].map((name) => active.getAttribute(name));
      expect(await Promise.all(told)).toEqual(['1', String(manySiblings)]);
      expect(await page.getByRole('tree').getAttribute('aria-activedescendant')).toBe(await active.getAttribute('id'));
    };
    const titlesAt = async (offset: number): Promise<readonly string[]> =>
      (await api.get(`${resource}/tree/waypoint?offset=${offset}`)).json.map(
        (entry: { readonly title: string }) => entry.title,
      );
    const last = manySiblings - 1;

    await console.open(`/tree${resource}`);
    await page.getByText(`${manySiblings.toLocaleString('en')} directly below`).waitFor();
    await isOn('File 0', 1);
    await page.getByRole('tree').focus();
    await press('End');
    await isOn(`File ${last}`, manySiblings);
    // The last row ends where the box does: nothing of it is cut off.
    expect(Math.abs((await distances(active)).bottom)).toBeLessThan(2);
    // To the middle as a wheel or a finger goes: rows stand where the bar says, to the pixel.
    await page.evaluate(`document.querySelector('.tree').scrollTop = ${(manySiblings / 2) * rowPixels}`);
    const middle = page.locator(`.row[aria-posinset="${manySiblings / 2 + 1}"]`, {
      hasText: `File ${manySiblings / 2}`,
    });
    await middle.waitFor();
    expect(Math.abs((await distances(middle)).top)).toBeLessThan(2);
    await middle.locator('.mark').click();
    await says('1 picked');
    await page.getByLabel('Find in this tree').fill('argo');
    await page.getByRole('option', { name: 'Wreck of the Argo' }).waitFor();
    await press('ArrowDown', 'Enter');
    await isOn('Wreck of the Argo', wanted + 1);
    expect(Math.min(...Object.values(await distances(active)))).toBeGreaterThan(-2);

    await press('Escape', 'End', 'Control+x', 'Home', 'Control+v');
    await says('1 moved.');
    await isOn(`File ${last}`, 2);
    expect((await titlesAt(0)).slice(0, 3)).toEqual(['File 0', `File ${last}`, 'File 1']);
    await press('Control+z');
    await says('The move was taken back.');
    await isOn(`File ${last}`, manySiblings);
    expect((await titlesAt(0)).slice(0, 2)).toEqual(['File 0', 'File 1']);
    expect((await titlesAt(manySiblings / 200 - 1)).at(-1)).toBe(`File ${last}`);
    expect(Math.max(...rowsMade)).toBeLessThan(80);
    expect(console.watched.broken).toEqual([]);
  });
});

// Components and the resource: tree, positions, and what must not be missing.
import { describe, expect, test } from 'vitest';
import { isComponent } from '#domain/formats/ead/components.ts';
import { readDocument } from '#test/support/ead-document.ts';

const did = (title: string): string => `<did><unittitle>${title}</unittitle></did>`;

describe('components', () => {
  test('are c and c01 to c12', () => {
    expect(['c', 'c01', 'c12'].every(isComponent)).toBe(true);
    expect(['c13', 'c00', 'c1', 'corpname'].some(isComponent)).toBe(false);
  });

  test('keep order and depth by parent and position', async () => {
    const { components, resource } = await readDocument({
      dsc: `<c01 level="series" id="s1">${did('A')}<c02 level="file">${did('A1')}</c02><c02 level="file">${did('A2')}<c03 level="item">${did('A2a')}</c03></c02></c01>
        <c01 level="series">${did('B')}</c01>`,
    });
    const byTitle = new Map(components.map((component) => [component['title'], component]));
    const parent = (title: string) => byTitle.get(title)?.['parent'];
    expect(components.map((component) => [component['title'], component['position']])).toEqual([['A1', 0], ['A2a', 0], ['A2', 1], ['A', 0], ['B', 1]]);
    expect([parent('A'), parent('A1'), parent('A2'), parent('A2a'), parent('B')]).toEqual([
      undefined,
      { ref: byTitle.get('A')?.['uri'] },
      { ref: byTitle.get('A')?.['uri'] },
      { ref: byTitle.get('A2')?.['uri'] },
      undefined,
    ]);
    expect(components.every((component) => JSON.stringify(component['resource']) === JSON.stringify({ ref: resource['uri'] }))).toBe(true);
    expect(byTitle.get('A')?.['ref_id']).toBe('s1');
  });

  test('take description that follows their children', async () => {
    const { components } = await readDocument({ dsc: `<c level="series">${did('A')}<c level="file">${did('B')}</c><odd><p>late</p></odd></c>` });
    expect(components[1]).toMatchObject({ title: 'A', notes: [{ subnotes: [{ content: 'late' }] }] });
  });

  test('keep the id verbatim and report one that cannot be a ref_id', async () => {
    const { components, report } = await readDocument({ dsc: `<c level="file" id="aspace_x.1">${did('A')}</c><c level="file" id="é">${did('B')}</c>` });
    expect(components.map((component) => component['ref_id'])).toEqual(['aspace_x.1', undefined]);
    expect(report.dropped).toMatchObject([{ element: 'c', text: 'é' }]);
  });

  test('stop the reading where one has neither title nor date', async () => {
    await expect(readDocument({ dsc: '<c level="file"><did><unitid>7</unitid></did></c>' })).rejects.toMatchObject({
      code: 'import_failed',
      error: { kind: 'archival_object', record: '7', element: 'c', line: 4 },
    });
  });
});

describe('the resource', () => {
  test('stops the reading where it lacks what a resource needs, naming all of it', async () => {
    await expect(readDocument('<ead>\n<archdesc level="fonds"><did/></archdesc></ead>')).rejects.toMatchObject({
      code: 'import_failed',
      error: {
        kind: 'resource',
        element: 'archdesc',
        line: 2,
        messages: {
          title: ['Property is required but was missing'],
          id_0: ['Property is required but was missing'],
          dates: ['At least 1 item(s) is required'],
          extents: ['At least 1 item(s) is required'],
        },
      },
    });
  });

  test('collects description on both sides of dsc', async () => {
    const { resource } = await readDocument({ notes: '<odd><p>before</p></odd><dsc/><descgrp><odd><p>after</p></odd></descgrp>' });
    expect(resource['notes']).toMatchObject([{ subnotes: [{ content: 'before' }] }, { subnotes: [{ content: 'after' }] }]);
  });
});

// Components and the resource: tree, positions, and what must not be missing.
import { describe, expect, test } from 'vitest';
import { isComponent } from '#domain/formats/ead/reading/components.ts';
import { readDocument } from '#test/support/ead-document.ts';

const did = (title: string): string => `<did><unittitle>${title}</unittitle></did>`;

describe('components', () => {
  test('are c and c01 and deeper, as peers number them', () => {
    expect(['c', 'c01', 'c12', 'c13', 'c20'].every(isComponent)).toBe(true);
    expect(['c00', 'c1', 'c100', 'corpname'].some(isComponent)).toBe(false);
  });

  test('keep order and depth by parent and position', async () => {
    const { components, resource } = await readDocument({
      dsc: `<c01 level="series" id="s1">${did('A')}<c02 level="file">${did('A1')}</c02><c02 level="file">${did('A2')}<c03 level="item">${did('A2a')}</c03></c02></c01>
        <c01 level="series">${did('B')}</c01>`,
    });
    const byTitle = new Map(components.map((component) => [component['title'], component]));
    const parent = (title: string) => byTitle.get(title)?.['parent'];
    expect(components.map((component) => [component['title'], component['position']])).toEqual([
      ['A1', 0],
      ['A2a', 0],
      ['A2', 1],
      ['A', 0],
      ['B', 1],
    ]);
    expect([parent('A'), parent('A1'), parent('A2'), parent('A2a'), parent('B')]).toEqual([
      undefined,
      { ref: byTitle.get('A')?.['uri'] },
      { ref: byTitle.get('A')?.['uri'] },
      { ref: byTitle.get('A2')?.['uri'] },
      undefined,
    ]);
    expect(
      components.every(
        (component) => JSON.stringify(component['resource']) === JSON.stringify({ ref: resource['uri'] }),
      ),
    ).toBe(true);
    expect(byTitle.get('A')?.['ref_id']).toBe('s1');
  });

  test('take description that follows their children', async () => {
    const { components } = await readDocument({
      dsc: `<c level="series">${did('A')}<c level="file">${did('B')}</c><odd><p>late</p></odd></c>`,
    });
    expect(components[1]).toMatchObject({ title: 'A', notes: [{ subnotes: [{ content: 'late' }] }] });
  });

  test('keep the id verbatim and report one that cannot be a ref_id', async () => {
    const { components, report } = await readDocument({
      dsc: `<c level="file" id="aspace_x.1">${did('A')}</c><c level="file" id="é">${did('B')}</c>`,
    });
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

describe('with stand-ins', () => {
  const standIns = true;

  test('a component without title and date is untitled, and reported', async () => {
    const { components, report } = await readDocument(
      { dsc: '<c level="file"><did><container type="box">7</container></did></c><c level="file"/>' },
      { standIns },
    );
    expect(components.map((component) => component['title'])).toEqual(['[untitled]', '[untitled]']);
    expect(report.dropped.map((part) => [part.element, part.line])).toEqual([
      ['c', 4],
      ['c', 4],
    ]);
  });

  test('an empty component without attributes is none, and reported; one with anything at all is one', async () => {
    const full = '<c><did><unittitle>A</unittitle></did><c01/></c>';
    const { components, report } = await readDocument(
      {
        dsc: `<c/>${full}<c>\n</c><c>loose</c><c id="x1"/><c><did/></c><c><c02><did><unittitle>B</unittitle></did></c02></c>`,
      },
      { standIns },
    );
    const top = components.filter(({ parent }) => parent === undefined);
    expect(top.map(({ title, position }) => [title, position])).toEqual([
      ['A', 0],
      ['[untitled]', 1],
      ['[untitled]', 2],
      ['[untitled]', 3],
      ['[untitled]', 4],
    ]);
    expect(components.map(({ title }) => title)).toContain('B');
    expect(report.dropped.filter(({ text }) => text === 'empty').map(({ element }) => element)).toEqual([
      'c',
      'c01',
      'c',
    ]);
  });

  test('a resource takes identifier and title of the header, an undated date and the extent of a collection', async () => {
    const header =
      '<eadheader><eadid>e9</eadid><filedesc><titlestmt><titleproper>Guide <num>9</num></titleproper></titlestmt></filedesc></eadheader>';
    const { resource, report } = await readDocument(
      `<ead>${header}<archdesc level="fonds"><did><physdesc><extent>many</extent></physdesc></did></archdesc></ead>`,
      { standIns },
    );
    expect(resource).toMatchObject({
      id_0: 'e9',
      title: 'Guide',
      dates: [{ expression: 'undated' }],
      extents: [{ number: '1', extent_type: 'collection' }],
      notes: [{ content: ['many'] }],
    });
    expect(report.dropped.map((part) => part.reason)).toEqual([
      expect.stringContaining('eadid'),
      expect.stringContaining('title of the finding aid'),
      expect.stringContaining('undated'),
      expect.stringContaining('1 collection'),
    ]);
  });

  test('a resource counts what an extent says less plainly', async () => {
    const { resource } = await readDocument(
      '<ead><archdesc level="fonds"><did><unitid>1</unitid><unittitle>T</unittitle><unitdate>1</unitdate><physdesc><extent>Environ 200 cartons</extent></physdesc></did></archdesc></ead>',
      { standIns },
    );
    expect(resource['extents']).toMatchObject([{ number: '200', extent_type: 'cartons' }]);
  });

  test('a resource without any identifier gets one of its own in each reading, and the report has it', async () => {
    const read = async (importId: string) =>
      readDocument('<ead><archdesc level="fonds"><did><unittitle>T</unittitle></did></archdesc></ead>', {
        standIns,
        importId,
      });
    const { resource, report } = await read('0b');
    const made = String(resource['id_0']);
    expect(made).toMatch(/^imported-0b-\d+$/);
    expect(report.dropped).toContainEqual(
      expect.objectContaining({ element: 'archdesc', reason: expect.stringContaining(made) }),
    );
    expect((await read('0c')).resource['id_0']).not.toBe(made);
  });

  test('a document that says nothing at all is refused', async () => {
    await expect(
      readDocument('<ead><archdesc level="fonds"><did/></archdesc></ead>', { standIns }),
    ).rejects.toMatchObject({ error: { messages: { title: expect.anything() } } });
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
    const { resource } = await readDocument({
      notes: '<odd><p>before</p></odd><dsc/><descgrp><odd><p>after</p></odd></descgrp>',
    });
    expect(resource['notes']).toMatchObject([
      { subnotes: [{ content: 'before' }] },
      { subnotes: [{ content: 'after' }] },
    ]);
  });
});

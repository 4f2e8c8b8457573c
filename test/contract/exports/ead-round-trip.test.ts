// A finding aid made by hand goes in, out as EAD 2002 and as EAD3, and in again: its headings are what they were on both ways.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { writeEad2002 } from '#domain/formats/ead/writing/write-2002.ts';
import { writeEad3 } from '#domain/formats/ead/writing/write-3.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { Importer } from '../../support/batch.ts';
import { openImporter } from '../../support/batch.ts';
import { eadDocument } from '../../support/ead-document.ts';
import { everything, exportEad, importEad } from '../../support/ead-round-trip.ts';

const ways = { 'EAD 2002': writeEad2002, EAD3: writeEad3 };
let importer: Importer;
beforeAll(async () => {
  importer = await openImporter();
});
afterAll(() => importer[Symbol.asyncDispose]());

/** The labels of the agents and subjects that a repository's records link to, in the order of their links. */
const headings = async (repoId: number): Promise<readonly string[]> => {
  const rows = await importer.database.reader.any(sql.type(z.strictObject({ label: column.text }))`
    SELECT t.label FROM link l JOIN record t ON t.kind = l.target_kind AND t.id = l.target_id
    WHERE l.repo_id = ${repoId} AND l.source_kind = 'resource' AND l.property IN ('linked_agents', 'subjects') ORDER BY l.property, t.label`);
  return rows.map(({ label }) => label);
};

const Text = z.strictObject({ type: column.text, note: column.bool, text: column.bool, content: column.text });

const inNewRepository = async (code: string, xml: string): Promise<Importer & { readonly resourceId: number }> => {
  const { id: repoId } = await importer.create('repository', { repo_code: code, name: code });
  const own = { ...importer, repoId };
  return { ...own, resourceId: await importEad(own, Buffer.from(xml)) };
};

test.each(Object.entries(ways))(
  'names and subjects that end in a comma or other marks come back from %s as they were',
  async (way, write) => {
    // As finding aids have them whose headings were cut out of MARC records, before a relator.
    const document = eadDocument({
      did: '<origination><persname>Smith, John, 1900-,</persname><famname>Roe family;</famname></origination>',
      notes:
        '<controlaccess><corpname>Bell Company,</corpname><persname>Doe, Jane:</persname><subject source="lcsh">Ships,</subject><geogname>Rome (Italy);</geogname><subject source="lcsh">Sailors -- Portugal,</subject></controlaccess>',
    });
    const expected = [
      'Bell Company,',
      'Doe, Jane:',
      'Roe family;',
      'Smith, John, 1900-,',
      'Rome (Italy);',
      'Sailors -- Portugal,',
      'Ships,',
    ];
    const first = await inNewRepository(`${way} 1`, document);
    expect(await headings(first.repoId)).toEqual(expected);
    const once = await exportEad(first, first.resourceId, everything, write);
    expect(once).toContain('Smith, John, 1900-,<');
    const second = await inNewRepository(`${way} 2`, once);
    expect(await headings(second.repoId)).toEqual(expected);
  },
);

test.each(Object.entries(ways))('the title by which a finding aid is filed comes back from %s', async (way, write) => {
  const header =
    '<eadid>f1</eadid><filedesc><titlestmt><titleproper>Guide to it</titleproper><titleproper type="filing">It, guide to</titleproper></titlestmt></filedesc>';
  const first = await inNewRepository(`${way} filed 1`, eadDocument({ header }));
  const once = await exportEad(first, first.resourceId, everything, write);
  expect(once).toMatch(/<titleproper (?:type|localtype)="filing">It, guide to</);
  const second = await inNewRepository(`${way} filed 2`, once);
  const row = await second.database.reader.one(sql.type(z.strictObject({ title: column.text, filing: column.text }))`
    SELECT body::jsonb->>'finding_aid_title' title, body::jsonb->>'finding_aid_filing_title' filing
    FROM record WHERE kind = 'resource' AND id = ${second.resourceId}`);
  expect(row).toEqual({ title: 'Guide to it', filing: 'It, guide to' });
});

test.each(Object.entries(ways))(
  'what of a note is not published is not published when it comes back from %s',
  async (way, write) => {
    const did =
      '<unittitle>T</unittitle><physdesc><extent>1 volumes</extent></physdesc><physdesc audience="internal"><dimensions>1 m</dimensions></physdesc>';
    const document = eadDocument({
      did,
      notes: '<odd><head>O</head><p>a</p><p audience="internal">b</p><p audience="internal">c</p><p>d</p></odd>',
    });
    const texts = async ({ repoId, resourceId }: { readonly repoId: number; readonly resourceId: number }) =>
      importer.database.reader.any(sql.type(Text)`
      SELECT n->>'type' type, (n->'publish')::boolean note, (s->'publish')::boolean text, s->>'content' content
      FROM record, jsonb_array_elements(body::jsonb->'notes') n, jsonb_array_elements(n->'subnotes') s
      WHERE kind = 'resource' AND id = ${resourceId} AND repo_id = ${repoId}`);
    const first = await inNewRepository(`${way} parts 1`, document);
    const expected = [
      { type: 'dimensions', note: false, text: false, content: '1 m' },
      { type: 'odd', note: true, text: true, content: 'a' },
      { type: 'odd', note: true, text: false, content: 'b\n\nc' },
      { type: 'odd', note: true, text: true, content: 'd' },
    ];
    expect(await texts(first)).toEqual(expected);
    const once = await exportEad(first, first.resourceId, everything, write);
    expect(once).toContain('<p>a</p><p audience="internal">b</p><p audience="internal">c</p><p>d</p>');
    expect(await texts(await inNewRepository(`${way} parts 2`, once))).toEqual(expected);
    const published = await exportEad(first, first.resourceId, { ...everything, includeUnpublished: false }, write);
    expect(published).toContain('<p>a</p><p>d</p>');
    expect(published).not.toContain('1 m');
  },
);

// Sheets loaded beside what a resource has: archival objects beside one that is there, from a workbook; digital objects into archival objects, from
// the template as it was filled in.
import { parse } from 'csv-parse/sync';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { afterAll, expect, test } from 'vitest';
import { checkDatabase } from '#store/check/check-database.ts';
import { startTestApi } from '#test/support/api.ts';
import { sheetOf, xlsx } from '#test/support/sheet-job.ts';
import { sheetLoads } from '#test/support/sheet-loads.ts';

const api = await startTestApi({ worker: 'jobs' });
afterAll(async () => api[Symbol.asyncDispose]());
const repoId = await api.repository();
const R = `/repositories/${repoId}`;
const { collection, load, send, read, titles } = sheetLoads(api, repoId);

test.each([14, 31, 57, 71])(
  'a day of a workbook is a day in built-in format %i, of whatever language',
  async (format) => {
    const { resource, id } = await collection();
    const cells = { res_uri: resource, title: 'Dated', hierarchy: '1', level: 'file', begin: 'day', expression: 'day' };
    // Day 492 of spreadsheets.
    const day = new Date(Date.UTC(1901, 4, 6));
    const parts = unzipSync(xlsx(sheetOf([cells]).map((row) => row.map((cell) => (cell === 'day' ? day : cell)))));
    const styles = strFromU8(parts['xl/styles.xml'] ?? new Uint8Array());
    // Programs of other languages have formats of their own for days, which a workbook names by number alone.
    parts['xl/styles.xml'] = strToU8(styles.replace(/(<cellXfs.*)numFmtId="14"/s, `$1numFmtId="${format}"`));
    const ended = await load(Buffer.from(zipSync(parts)), id, { content_type: 'xlsx' });
    expect(ended.status, ended.log).toBe('completed');
    expect((await read(ended.records[0] ?? '')).dates).toMatchObject([
      { begin: '1901-05-06', expression: '1901-05-06' },
    ]);
  },
);

test('loads beside an archival object, from a workbook', async () => {
  const { resource, id } = await collection();
  const series = await api.create(`${R}/archival_objects`, {
    title: 'Series',
    level: 'series',
    resource: { ref: resource },
  });
  const file = await api.create(`${R}/archival_objects`, {
    title: 'File',
    level: 'file',
    resource: { ref: resource },
    parent: { ref: series },
  });
  const row = (title: string, hierarchy: string) => ({
    res_uri: resource,
    title,
    hierarchy,
    level: 'file',
    begin: '1950',
  });
  const aoid = Number(file.split('/').at(-1));
  const table = sheetOf([row('Below', '2'), row('Beside', '1'), row('Below beside', '2')]);
  // Programs make numbers of what looks like some.
  const numbers = table.map((cells) => cells.map((cell) => (/^\d+$/.test(cell) ? Number(cell) : cell)));
  const ended = await load(
    xlsx(numbers, ['Second', 'Values']),
    id,
    { content_type: 'xlsx' },
    { params: { rid: id, aoid } },
  );
  expect(ended, ended.log).toMatchObject({ status: 'completed', result: { rows: 3 } });
  expect(ended.log).toContain('Only the first sheet, Any name, is read; left out: Second | Values');
  expect([await titles(resource), await titles(resource, series), await titles(resource, file)]).toEqual([
    ['Series'],
    ['File', 'Beside'],
    ['Below'],
  ]);
  expect((await read(ended.records[0] ?? '')).dates).toMatchObject([{ begin: '1950' }]);
  // A sheet of headings alone loads nothing.
  expect(await load(xlsx(table.slice(0, 3)), id, { content_type: 'xlsx' })).toMatchObject({
    status: 'completed',
    result: { rows: 0, created: {} },
    records: [],
  });
  const wrong = await load(xlsx(sheetOf([row('', '3')])), id, { content_type: 'xlsx' }, { params: { rid: id, aoid } });
  expect(wrong.log).toContain('of the sheet Any name');
  expect(wrong.log).toContain('Row 4, column hierarchy: May be 2 at most');
  const other = await collection();
  expect(
    (
      await send(
        sheetOf([{ res_uri: other.resource, title: 'x', hierarchy: '1', level: 'file' }]),
        other.id,
        {},
        { params: { rid: other.id, aoid } },
      )
    ).log,
  ).toContain(`The resource of the job has no archival object ${aoid}`);
});

test('loads digital objects into archival objects that are there, from the filled-in template', async () => {
  const { resource, id } = await collection();
  const components: string[] = [];
  for (const title of ['One', 'Two', 'Three'])
    components.push(
      await api.create(`${R}/archival_objects`, { title, level: 'file', publish: true, resource: { ref: resource } }),
    );
  const [one, two, three] = await Promise.all(components.map(read));
  const table: string[][] = parse((await api.get(`${resource}/templates/digital_object_creation.csv`)).text);
  const codes = table[2] ?? [];
  const fill = (row: number, cells: { readonly [code: string]: string }): void => {
    for (const [code, text] of Object.entries(cells)) (table[row] ?? [])[codes.indexOf(code)] = text;
  };
  fill(4, {
    digital_object_id: `x-${id}`,
    digital_object_title: 'First',
    digital_object_type: 'Still Image',
    level: 'image',
    rep_file_uri: 'https://example.org/a',
    note_type: 'Summary',
    note_content: 'What it shows',
    begin: '1999',
    number: '1',
    extent_type: 'gigabytes',
    people_agent_header_1: `Maker ${id}`,
    subject_1_term: `Ships ${id}`,
  });
  fill(5, {
    ao_uri: '',
    ao_ref_id: two.ref_id,
    digital_object_publish: '0',
    nonrep_file_uri: 'https://example.org/b',
    people_agent_header_1: `Maker ${id}`,
  });
  fill(6, { ao_uri: three.uri.split('/').at(-1), digital_object_title: 'Third' });
  const ended = await send(table, id, { load_type: 'digital' });
  expect(ended, ended.log).toMatchObject({
    status: 'completed',
    result: { rows: 3, created: { digital_object: 3, agent_person: 1, subject: 1 } },
  });
  expect(new Set(ended.records.filter((uri) => uri.includes('archival_objects')))).toEqual(new Set(components));
  const after = await Promise.all(components.map(read));
  expect(
    after.map((node) => [node.lock_version, node.instances.map((instance: any) => instance.instance_type)]),
  ).toEqual([1, 1, 1].map((version) => [version, ['digital_object']]));
  const objects = await Promise.all(after.map(async (node) => read(node.instances[0].digital_object.ref)));
  expect(objects[0]).toMatchObject({
    digital_object_id: `x-${id}`,
    title: 'First',
    publish: true,
    level: 'image',
    digital_object_type: 'still_image',
    dates: [{ begin: '1999' }],
    extents: [{ extent_type: 'gigabytes' }],
    notes: [{ type: 'summary', content: ['What it shows'], publish: true }],
    linked_instances: [{ ref: one.uri }],
    subjects: [{}],
  });
  expect(objects[1]).toMatchObject({ title: 'Two', publish: false, file_versions: [{ publish: false }] });
  expect(objects[1].digital_object_id).toMatch(/^[0-9a-f]{32}$/);
  expect(objects[1].linked_agents[0].ref).toBe(objects[0].linked_agents[0].ref);
  expect(ended.reports[0]).toContain(`5,Updated,One,${one.uri},${one.ref_id},\n`);
  expect(ended.reports[0]).toContain(`5,,,,,digital object x-${id}: ${objects[0].uri}\n`);
  expect((await checkDatabase(api.database)).filter((each: any) => each.count > 0)).toEqual([]);
  // Once more: the identifier is in use; and rows that name nothing of the resource are wrong.
  fill(6, { ao_uri: '99999999', ao_ref_id: 'nonsense' });
  fill(5, { ao_ref_id: '' });
  const second = await send(table, id, { load_type: 'digital' });
  expect(second.status).toBe('failed');
  expect([...second.log.matchAll(/^Row (\d+), column (\w+):/gm)].map(([, row, column]) => `${row} ${column}`)).toEqual([
    '5 digital_object_id',
    '6 ao_ref_id',
    '7 ao_uri',
  ]);
  expect((await read(components[0] ?? '')).lock_version).toBe(1);
});

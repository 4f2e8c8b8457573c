// Changes by spreadsheet that are refused: every fault is told with its place, and nothing is changed.
import { read as readWorkbook, utils, write as writeWorkbook } from '@e965/xlsx';
import { expect, test } from 'vitest';
import { runJob } from '#test/support/api-jobs.ts';
import { resourceBody } from '#test/support/records.ts';
import { sheetUpdates } from '#test/support/sheet-updates.ts';

const { api, repoId, created, component, read, edited, send } = await sheetUpdates();

test('refuses records of several resources, records that are not there, blanked parts, and more files than one', async () => {
  const other = await created('resources', resourceBody('B2'));
  const elsewhere = await created('archival_objects', { title: 'Elsewhere', level: 'file', resource: { ref: other } });
  const dated = await component('Dated', { dates: [{ date_type: 'single', label: 'creation', begin: '1900' }] });
  const several = await edited([dated, elsewhere], [{ title: 'x' }]);
  await api.post(elsewhere, { ...(await read(elsewhere)), title: 'Meanwhile' });
  const ofSeveral = await send(several);
  expect(ofSeveral.log).toContain(
    'Row number: N/A\nColumn: N/A\nJSONModel Property: N/A\nErrors: Archival Objects must all belong to the same resource.',
  );
  // What else is wrong with them is not looked for.
  expect(ofSeveral.log).not.toContain('out of sync');
  const gone = await edited([dated], [{ id: '88888888' }]);
  expect((await send(gone)).log).toContain('Errors: Archival Object not found for id: 88888888');
  expect((await send(await edited([dated], [{ 'dates/0/label': '', 'dates/0/begin': '' }]))).log).toContain(
    'Row number: 3\nColumn: dates/0\nJSONModel Property: N/A\nErrors: Deleting a subrecord is disabled.',
  );
  expect(await read(dated)).toMatchObject({ lock_version: 0, dates: [{ begin: '1900' }] });
  const none = await runJob(api, repoId, { jsonmodel_type: 'bulk_archival_object_updater_job' });
  expect([none.status, none.log]).toEqual(['failed', expect.stringContaining('No spreadsheet found.')]);
});

test('tells faults of parts by the columns that show them, whatever place they have in the record', async () => {
  const box = await created('top_containers', { indicator: '7', type: 'box' });
  const object = await created('digital_objects', { digital_object_id: 'first-place', title: 'Scan' });
  const note = (type: string) => ({
    jsonmodel_type: 'note_multipart',
    type,
    subnotes: [{ jsonmodel_type: 'note_text', content: type }],
  });
  const uri = await component('Of many parts', {
    instances: [
      { instance_type: 'digital_object', digital_object: { ref: object } },
      { instance_type: 'text', sub_container: { top_container: { ref: box } } },
    ],
    lang_materials: [
      { notes: [{ jsonmodel_type: 'note_langmaterial', type: 'langmaterial', content: ['Mostly English'] }] },
      { language_and_script: { language: 'eng' } },
    ],
    notes: [note('custodhist'), note('odd'), note('accessrestrict')],
  });
  const edit = {
    'instances/0/sub_container_type_2': 'Folder [folder]',
    'language_and_script/0/script': 'Nonsense [nonsense]',
    'note/accessrestrict/0/begin': '1900',
  };
  const ended = await send(await edited([uri], [edit]));
  expect(ended.status, ended.log).toBe('failed');
  expect(ended.log.match(/^Column: .*/gm)).toEqual([
    'Column: language_and_script/0',
    'Column: instances/0',
    'Column: note/accessrestrict/0',
  ]);
});

test('tells every fault with sheet, row and column, and changes nothing', async () => {
  const first = await component('Good');
  const second = await component('Bad');
  const third = await component('Stale');
  const bytes = await edited(
    [first, second, third],
    [
      { title: 'Would be fine' },
      { 'dates/0/begin': '1950-99', level: 'Nonsense [nonsense]' },
      { 'extents/0/number': '1' },
    ],
  );
  const ended = await send(bytes);
  expect(ended).toMatchObject({ status: 'failed', records: [] });
  expect(ended.log).toContain('Errors encountered during processing.\nAll changes have been reverted.\n');
  for (const place of [
    'Row number: 4\nColumn: dates/0',
    'Row number: 4\nColumn: level',
    'Row number: 5\nColumn: extents/0',
  ])
    expect(ended.log).toContain(`Sheet name: Updates\n${place}`);
  expect((await read(first)).title).toBe('Good');
  const stale = await edited([third], [{ title: 'Later' }]);
  await api.post(third, { ...(await read(third)), title: 'Meanwhile' });
  expect((await send(stale)).log).toContain(
    'Column: lock_version\nJSONModel Property: N/A\nErrors: Versions are out of sync: 0 record is now: 1',
  );
  const odd = await send(
    await edited([first], [], (table) => {
      (table[1] ?? [])[2] = 'nonsense';
      (table[2] ?? [])[0] = '99999999';
    }),
  );
  expect(odd.log).toContain('Row number: 2\nColumn: nonsense');
  expect((await send(Buffer.from('no workbook'))).status).toBe('failed');
  expect((await read(first)).lock_version).toBe(0);
});

test('tells a thousand faults, and how many more there are', async () => {
  const only = await component('Only');
  const absent = (table: string[][]): void => {
    table.length = 2;
    for (let row = 0; row < 1003; row++) table.push([String(90_000_000 + row), '0', 'Absent']);
  };
  const { status, log } = await send(await edited([only], [], absent));
  expect([status, log.match(/^Errors: Archival Object not found for id: /gm)?.length]).toEqual(['failed', 1000]);
  // A blank line keeps it from the messages of the last fault, as faults from each other.
  expect(log).toMatch(
    /Row number: 1002\nColumn: id\nJSONModel Property: N\/A\nErrors: Archival Object not found for id: 90000999\n\n… and 3 more\n/,
  );
});

test('takes no cell for what it does not say: errors and merged cells are faults, beside those of versions, and numbers are read as they look', async () => {
  const [first, second, third] = [
    await component('First'),
    await component('Second'),
    await component('Third', { component_id: 'keep' }),
  ];
  await created('top_containers', { indicator: '8', barcode: 'taken-8' });
  const bytes = await edited([first, second, third], [{ component_id: '7', 'extents/0/number': '0.3' }]);
  const book = readWorkbook(bytes);
  const sheet = book.Sheets['Updates'] ?? {};
  const paths = utils.sheet_to_json<string[]>(sheet, { header: 1 })[1] ?? [];
  const at = (path: string, row: number): string => `${utils.encode_col(paths.indexOf(path))}${row}`;
  sheet[at('component_id', 3)] = { t: 'n', v: 7, z: '00000' };
  sheet[at('title', 4)] = { t: 'e', v: 0x2a, w: '#N/A', f: 'NA()' };
  delete sheet[at('title', 5)];
  sheet['!merges'] = [utils.decode_range(`${at('title', 4)}:${at('title', 5)}`)];
  await api.post(third, { ...(await read(third)), component_id: 'kept' });
  const faulty = await send(writeWorkbook(book, { type: 'buffer', bookType: 'xlsx' }));
  expect(faulty.status).toBe('failed');
  for (const told of [
    'Row number: 4\nColumn: title\nJSONModel Property: N/A\nErrors: The cell shows an error: #N/A',
    `Row number: 5\nColumn: title\nJSONModel Property: N/A\nErrors: The cell is merged with ${at('title', 4)}`,
    'Row number: 5\nColumn: lock_version',
  ])
    expect(faulty.log).toContain(told);
  expect([(await read(second)).title, (await read(third)).title]).toEqual(['Second', 'Third']);

  sheet['!merges'] = [];
  const numbers = readWorkbook(await edited([first], []));
  const alone = numbers.Sheets['Updates'] ?? {};
  for (const [path, cell] of [
    ['component_id', { t: 'n', v: 7, z: '00000' }],
    ['extents/0/number', { t: 'n', v: 0.1 + 0.2 }],
    ['extents/0/portion', { t: 's', v: 'whole' }],
    ['extents/0/extent_type', { t: 's', v: 'reels' }],
    ['instances/0/instance_type', { t: 's', v: 'text' }],
    ['instances/0/top_container_indicator', { t: 's', v: '9' }],
    ['instances/0/top_container_barcode', { t: 's', v: 'taken-8' }],
  ] as const)
    alone[at(path, 3)] = { ...cell };
  const taken = await send(writeWorkbook(numbers, { type: 'buffer', bookType: 'xlsx' }), {
    create_missing_top_containers: true,
  });
  expect(taken.log).toContain(
    'Row number: 3\nColumn: instances/0\nJSONModel Property: N/A\nErrors: The barcode taken-8 is that of another top container',
  );
  alone[at('instances/0/top_container_barcode', 3)] = { t: 'n', v: 32044012345678 };
  expect(
    (await send(writeWorkbook(numbers, { type: 'buffer', bookType: 'xlsx' }), { create_missing_top_containers: true }))
      .status,
  ).toBe('completed');
  const record = await read(first);
  expect([
    record.component_id,
    record.extents[0].number,
    (await read(record.instances[0].sub_container.top_container.ref)).barcode,
  ]).toEqual(['00007', '0.3', '32044012345678']);
});

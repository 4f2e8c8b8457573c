// Cells of workbooks as spreadsheet programs show them: numbers in formats with words and signs of their own.
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { afterAll, expect, test } from 'vitest';
import { startTestApi } from '#test/support/api.ts';
import { sheetOf, xlsx } from '#test/support/sheet-job.ts';
import { sheetLoads } from '#test/support/sheet-loads.ts';

const api = await startTestApi({ worker: 'jobs' });
afterAll(() => api[Symbol.asyncDispose]());
const repoId = await api.repository();
const { collection, load, read } = sheetLoads(api, repoId);

/** A workbook whose days have the format of this code in place of their own. */
function formatted(cells: Readonly<Record<string, string>>, day: Date, code: string): Buffer {
  const parts = unzipSync(xlsx(sheetOf([cells]).map((row) => row.map((cell) => (cell === 'number' ? day : cell)))));
  const styles = strFromU8(parts['xl/styles.xml'] ?? new Uint8Array());
  const own = `<numFmts count="1"><numFmt numFmtId="164" formatCode="${code}"/></numFmts>`;
  parts['xl/styles.xml'] = strToU8(
    styles
      .replace(/<numFmts.*?<\/numFmts>/s, '')
      .replace('<fonts', `${own}<fonts`)
      .replace(/(<cellXfs.*)numFmtId="14"/s, '$1numFmtId="164"'),
  );
  return Buffer.from(zipSync(parts));
}

test.each([
  ['&quot;MS-&quot;0000', 'MS-0492'],
  ['00\\-000', '00-492'],
  ['&quot;Box &quot;00&quot; a&quot;', 'Box 492 a'],
  ['0000;[Red]\\-0000', '0492'],
  ['#,##0.00', '492'],
  ['&quot;Nr. &quot;0', '492'],
])('a number in the format %s is shown as %s', async (code, shown) => {
  const { resource, id } = await collection();
  const cells = {
    res_uri: resource,
    title: 'Numbered',
    hierarchy: '1',
    level: 'file',
    component_id: 'number',
    unit_id: 'number',
  };
  // Day 492 of spreadsheets.
  const ended = await load(formatted(cells, new Date(Date.UTC(1901, 4, 6)), code), id, { content_type: 'xlsx' });
  expect(ended.status, ended.log).toBe('completed');
  expect((await read(ended.records[0] ?? '')).component_id).toBe(shown);
});

// Reports as files: what a format has no character for.
import { expect, test } from 'vitest';
import { writeReport } from '#domain/reports/write.ts';

test('tabs and line ends of a text part its words in RTF', async () => {
  async function* rows(): AsyncGenerator<string> {
    yield JSON.stringify({ title: 'Box\t1\r\nFolder\n2 \u0001{é}' });
  }
  const report = { title: 'T', info: {}, columns: [{ key: 'title' }], rows: rows(), showsJson: false };
  const pieces = await Array.fromAsync(writeReport('rtf', report));
  expect(Buffer.concat(pieces).toString()).toContain('{\\b Title:} Box\\tab 1\\line Folder\\line 2 \\{\\u233?\\}\\par');
});

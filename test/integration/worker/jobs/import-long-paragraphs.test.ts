// Paragraphs that are longer than a text of a note may be: an import parts them between words.
import { afterAll, expect, test } from 'vitest';
import { startTestApi } from '#test/support/api.ts';
import { runJob } from '#test/support/api-jobs.ts';

const api = await startTestApi({ worker: 'jobs' });
afterAll(() => api[Symbol.asyncDispose]());
const repoId = await api.repository();

test('a paragraph above 65,000 characters is parted between words, and outside of markup', async () => {
  const words = Array.from({ length: 12_000 }, (_, index) => `word${index}`);
  // Around the border stands an element with blanks in it.
  const at = words.join(' ').slice(0, 64_990).split(' ').length;
  words[at] = '<emph render="bold">in one piece</emph>';
  const paragraph = words.join(' ');
  const content = `<ead xmlns="urn:isbn:1-931666-22-9"><eadheader><eadid>long</eadid><filedesc><titlestmt><titleproper>G</titleproper></titlestmt></filedesc></eadheader><archdesc level="collection"><did><unitid>LONG</unitid><unittitle>T</unittitle><unitdate>1900</unitdate></did><scopecontent><p>${paragraph}</p></scopecontent></archdesc></ead>`;
  const ended = await runJob(
    api,
    repoId,
    { jsonmodel_type: 'import_job', import_type: 'ead_xml', filenames: ['f'] },
    { file: { name: 'f', content } },
  );
  expect(ended.status, ended.log).toBe('completed');
  const [resource = ''] = ended.records.filter((uri) => uri.includes('/resources/'));
  const [note] = (await api.get(resource)).json.notes;
  const texts: readonly string[] = note.subnotes.map((each: { readonly content: string }) => each.content);
  expect(texts.length).toBe(2);
  expect(texts.join(' ')).toBe(paragraph);
  for (const text of texts) expect(text.length).toBeLessThanOrEqual(65_000);
});

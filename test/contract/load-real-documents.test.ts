// Real finding aids, imported into one service, read as clients read them and loaded into another: every address answers the same bytes.
import { expect, test } from 'vitest';
import { checkDatabase } from '#store/check/check-database.ts';
import { startTestApi } from '../support/api.ts';
import { runJob } from '../support/api-jobs.ts';
import { asText, exportAll } from '../support/exported-folder.ts';
import { endOfGlobalJob } from '../support/loads.ts';
import { amount } from '../support/long.ts';
import { readArchive, realDataFolder } from '../support/real-data.ts';

const folder = realDataFolder();
const largest = 400_000;
const documents = amount(2, 12);

test.skipIf(folder === undefined)('real finding aids come out of a load as they went in', async () => {
  await using source = await startTestApi({ worker: 'jobs' });
  const repoId = await source.repository();
  const files = readArchive(folder ?? '', 'ead.tar.gz').filter(
    ({ name, bytes }) => name.endsWith('.xml') && bytes.length < largest,
  );
  for (const { name, bytes } of files.slice(0, documents)) {
    const ended = await runJob(
      source,
      repoId,
      { jsonmodel_type: 'import_job', filenames: [name], import_type: 'ead_xml' },
      { file: { name, content: bytes } },
    );
    expect(ended.status, ended.log).toBe('completed');
  }
  const exported = await exportAll(source);
  expect(exported.lines.length).toBeGreaterThan(100);
  await using target = await startTestApi({ worker: 'jobs' });
  const reply = await target.ask('/system/load', { body: asText(exported) });
  expect(await endOfGlobalJob(target, reply.json.uri)).toMatchObject({ status: 'completed' });
  const differing: object[] = [];
  for (const { path, text } of exported.lines.filter(({ path }) =>
    /^\/(repositories\/\d+\/[a-z_]+\/\d+|agents|subjects|terms)/.test(path),
  )) {
    // Blanks between the tokens are no part of a record: terms of imports have some.
    const here = JSON.stringify((await target.get(path)).json);
    if (here !== JSON.stringify(JSON.parse(text))) differing.push({ path, here, text });
  }
  expect(differing).toEqual([]);
  expect((await checkDatabase(target.database)).filter(({ count }) => count > 0)).toEqual([]);
});

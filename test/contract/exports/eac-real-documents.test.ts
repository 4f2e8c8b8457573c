// Real EAC-CPF documents of both versions go in and come out the same; those of 2.0 lose nothing unsaid and go in as one job. The folder
// is not part of the repository; without it this file skips. What documents of 2010 lose is test/contract/eac-real-documents.test.ts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { kinds } from '#domain/kinds/index.ts';
import { prepare } from '#domain/checking/prepare.ts';
import { essenceOfEac, exportAgent, importAgents, toldByBoth } from '../../support/eac-round-trip.ts';
import { exportFaults } from '../../support/export-faults.ts';
import { essence, textsOf } from '../../support/eac-texts.ts';
import type { ImportJobs } from '../../support/import-job.ts';
import { openImportJobs } from '../../support/import-job.ts';
import { readFormat } from '../../support/import-reading.ts';
import { testContext } from '../../support/make/prepare-context.ts';
import { readArchive, realDataFolder } from '../../support/real-data.ts';
import type { ArchiveFile } from '../../support/real-data.ts';

const folder = realDataFolder();
const files: readonly ArchiveFile[] = folder === undefined ? [] : readArchive(folder, 'eac.tar.gz');
const version2 = files.filter((file) => new TextDecoder().decode(file.bytes.subarray(0, 2000)).includes('/eac/v2'));
const importing = testContext({ acceptTemporary: true, createEnumerationValues: true });

describe.skipIf(folder === undefined)('a real EAC-CPF document', () => {
  let imports: ImportJobs;
  beforeAll(async () => {
    imports = await openImportJobs();
  });
  afterAll(() => imports[Symbol.asyncDispose]());

  test('is there in both versions', () => expect([files.length, version2.length]).toEqual([45, 4]));

  test.each(files.map((file) => [file.name, file] as const))(
    '%s comes out valid, and the same after another import, and either version gives the same agent',
    async (_name, file) => {
      for (const agent of (await importAgents(file.bytes)).agents) {
        const again: JsonObject[] = [];
        // Citations and texts of 2.0 change places in 2010, and related agents keep the first part of their names.
        for (const version of version2.includes(file) ? [2 as const] : [1 as const, 2 as const]) {
          const once = exportAgent(agent, version);
          expect(exportFaults(version === 2 ? 'EAC-CPF 2.0' : 'EAC-CPF 2010', once)).toEqual([]);
          const imported = { ...(await importAgents(once)).agents[0] };
          expect(essenceOfEac(exportAgent(imported, version)), `version ${version}`).toEqual(essenceOfEac(once));
          again.push(imported);
        }
        expect(toldByBoth({ ...again.at(-1) })).toEqual(toldByBoth({ ...again[0] }));
      }
    },
  );

  test.each(version2.map((file) => [file.name, file] as const))(
    '%s of version 2.0 gives agents that are accepted, and loses nothing unsaid',
    async (_name, file) => {
      const { records, report } = await readFormat('eac_xml', file.bytes, {
        isEnumerationValue: (list, value) => importing.enumerations.get(list)?.has(value) ?? false,
      });
      expect(records.some((record) => record.jsonmodel_type.startsWith('agent_'))).toBe(true);
      for (const record of records)
        prepare(kinds.get(record.jsonmodel_type) ?? expect.fail(record.jsonmodel_type), record, importing);
      const strings: string[] = [];
      const collect = (value: unknown): void => {
        if (typeof value === 'string') strings.push(essence(value));
        else if (Array.isArray(value)) value.forEach(collect);
        else if (typeof value === 'object' && value !== null) {
          if ('primary_name' in value && 'rest_of_name' in value)
            strings.push(essence(`${String(value.primary_name)}${String(value.rest_of_name)}`));
          Object.values(value).forEach(collect);
        }
      };
      collect(records);
      const isReported = (path: readonly string[]): boolean =>
        report.dropped.some((part) => path.includes(`${part.element}@${part.line}`));
      const lost = (await textsOf(file))
        .map(({ text, path }) => ({ text: text.replace(/[<>]/g, ' '), path }))
        .filter(({ text, path }) => !strings.some((each) => each.includes(essence(text))) && !isReported(path));
      expect(lost.map(({ text, path }) => [path.slice(-3).join('/'), text.trim().slice(0, 80)])).toEqual([]);
    },
  );

  test('goes in with all others of version 2.0 as one job, and a second job makes nothing twice', async () => {
    const sources = version2.map((file) => file.bytes);
    const first = await imports.runJob(sources, { import_type: 'eac_xml', import_events: '1' });
    expect(first.failure, first.log.slice(-3000)).toBeNull();
    const again = await imports.runJob(sources, { import_type: 'eac_xml', import_events: '1' });
    expect(again.failure, again.log.slice(-3000)).toBeNull();
    expect((again.value as { created: unknown }).created).toEqual({});
  });
});

// Reads documents of import formats in tests: a text or bytes in, records and report out.
import type { ImportAbout } from '#domain/formats/define-import.ts';
import type { ImportRecord } from '#domain/formats/reading/context.ts';
import { sheetFailure } from '#domain/formats/csv/faults.ts';
import type { ImportReport } from '#domain/formats/reading/report.ts';
import { importFormats } from '#domain/formats/import-types.ts';
import { bytesOf, testOptions } from './ead-document.ts';

/** What a reading gave. */
export type Reading = {
  readonly records: readonly ImportRecord[];
  readonly report: ImportReport;
  of(kind: string): readonly ImportRecord[];
};

/** What readers are told in tests: the lists of testOptions, all switches on, the day 2026-01-31. */
export const testAbout: ImportAbout = {
  repositoryUri: '/repositories/2',
  importId: '0a',
  today: '2026-01-31',
  eadAgents: 'external',
  switches: { events: true, subjects: true, repository: true },
  isEnumerationValue: testOptions.isEnumerationValue,
  enumerationValueForLabel: () => undefined,
  topContainerUri: () => undefined,
  containerProfileUri: () => undefined,
};

/** Reads one document to its end. Fails as a job would for a sheet with faults. */
export async function readFormat(
  importType: string,
  source: string | Uint8Array,
  about: Partial<ImportAbout> = {},
): Promise<Reading> {
  const format = importFormats.get(importType);
  if (format === undefined) throw new TypeError(`no format ${importType}`);
  const records: ImportRecord[] = [];
  const reading = format.read(bytesOf(source, typeof source === 'string' ? 61 : 65_536), { ...testAbout, ...about });
  let step = await reading.next();
  for (; step.done !== true; step = await reading.next()) records.push(step.value);
  // As a job does.
  if (step.value.faults !== undefined) throw sheetFailure(step.value.faults);
  return { records, report: step.value, of: (kind) => records.filter((record) => record.jsonmodel_type === kind) };
}

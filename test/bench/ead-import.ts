// The import of a finding aid in EAD 2002 against the raw COPY of the very rows it gives: reading, mapping, reusing of headings, and all that
// a batch import does (batch-import.ts, which measures).
import { importFormat } from '#domain/jobs/import-format.ts';
import { writeBlob } from '#store/files/blobs.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { eadBytes } from '../support/make/finding-aid-ead.ts';
import type { BenchRow, ImportSort } from './batch-import.ts';
import { measureImport } from './batch-import.ts';

const ead: ImportSort = {
  name: 'EAD 2002 import',
  start: async (database, repoId, title, count) => {
    const blob = await writeBlob(database, eadBytes(title, count), { fileName: `${title}.xml` });
    const job = { jsonmodel_type: 'import_job', import_type: 'ead_xml', filenames: [`${title}.xml`] };
    return {
      bytes: blob.sizeBytes,
      enqueue: async () =>
        (
          await database.transaction((tx) =>
            enqueueJob(
              tx,
              importFormat,
              { repoId, actor: 'bench', job, params: {} },
              { repoId, files: [{ blobId: blob.id, role: 'input' }] },
            ),
          )
        ).jobId,
    };
  },
};

/** Measures 100,000 components, and memory at a tenth; some three minutes. Nothing is asked of the ratio. */
export async function run(): Promise<readonly BenchRow[]> {
  const components = Number(process.env['BENCH_COMPONENTS'] ?? 100_000);
  const rows = await measureImport(ead, {
    components,
    rounds: Number(process.env['BENCH_ROUNDS'] ?? 2),
    memorySizes: [Math.round(components / 10)],
  });
  return rows.map(({ target: _target, pass: _pass, ...row }) => row);
}

if (import.meta.main) console.table(await run());

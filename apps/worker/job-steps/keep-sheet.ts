// The spreadsheet that a job made, as its output file.
import { writeBlob } from '#store/files/blobs.ts';
import type { Viewer } from '#store/records/reading/viewer.ts';
import type { JobContext } from '../handler.ts';

/** Writes the bytes as they come and ends the job with the file; the value tells the number of rows, which is asked when all are written. `viewer`: as whom it shows the repository. */
export async function keepSheet(
  bytes: AsyncIterable<Uint8Array>,
  file: { readonly fileName: string; readonly mediaType: string },
  rowCount: () => number,
  viewer: Pick<Viewer, 'seesSuppressed'>,
  context: JobContext,
): Promise<{ readonly rows: number }> {
  const blob = await writeBlob(context.database, bytes, file);
  const value = { rows: rowCount() };
  context.log(`${file.fileName}: ${value.rows} rows`);
  return context.transaction(async (tx) => {
    await context.addOutputFile(tx, blob.id, viewer);
    await context.complete(tx, value);
    return value;
  });
}

// A backup in memory.
import { Writable } from 'node:stream';
import { writeBackup } from '#store/backup/backup.ts';
import type { BackupSummary } from '#store/backup/backup.ts';

/** The backup of a database as the bytes of its file, and what it says of itself. */
export async function backedUp(url: string): Promise<{ readonly file: Buffer; readonly summary: BackupSummary }> {
  const chunks: Buffer[] = [];
  const target = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
  });
  const summary = await writeBackup(url, target);
  return { file: Buffer.concat(chunks), summary };
}

// What it means for the operator where files are kept.
import type { FileFacts } from './facts.ts';
import type { Finding } from './finding.ts';
import { bytesText, finding, timeText } from './finding.ts';
import type { Limits } from './limits.ts';

/** Findings about the storage of files; none where all are in the database and no other place is named. */
export function judgeFiles({ storage, fault, places, waiting }: FileFacts, limits: Limits): readonly Finding[] {
  const outside = places.filter((place) => place.storage !== null);
  const count = outside.reduce((sum, { files }) => sum + files, 0);
  return [
    ...(storage !== null || count === 0
      ? []
      : [
          finding(
            'problem',
            'files_unreachable',
            `${count} files are in ${outside.map((place) => place.storage).join(', ')}, and MUNIMENT_FILES_URL is not set: they cannot be read.`,
            'Set it, with its key, for API and workers; then move them back (muniment files move --to database) if that was meant.',
          ),
        ]),
    ...(fault === null
      ? []
      : [
          finding(
            'problem',
            'file_storage_fails',
            `The storage of files ${storage ?? ''} cannot be used: ${fault}.`,
            'See to the server, the bucket and the key: uploads and the files in it are answered 503 until then. Nothing is lost by it.',
          ),
        ]),
    ...(waiting.overdueSeconds < limits.fileRemovalSeconds
      ? []
      : [
          finding(
            'warning',
            'objects_not_removed',
            `${waiting.objects} objects of removed files are still in the storage, the first ${timeText(waiting.overdueSeconds)} longer than MUNIMENT_FILES_KEEP_DAYS.`,
            'A worker removes them every ten minutes: see its log, and whether its key may delete.',
          ),
        ]),
    ...(storage === null
      ? []
      : [
          finding(
            'notice',
            'files_by_place',
            `Files: ${places.length === 0 ? 'none' : places.map(({ storage: place, files, bytes }) => `${files} in ${place ?? 'the database'} (${bytesText(bytes)})`).join(', ')}.`,
            'What is not in the database is not in its backups: back up the storage, too. muniment files move has them in one place.',
          ),
        ]),
  ];
}

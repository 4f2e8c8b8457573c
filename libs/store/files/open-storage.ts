// The storage of files that the configuration names.
import type { Config } from '#domain/config.ts';
import { s3Storage } from './s3.ts';
import type { FileStorage } from './storage.ts';

/** Opens the storage that MUNIMENT_FILES_URL names; null: files are rows of the database. Sends nothing yet. */
export function openFileStorage(
  config: Pick<
    Config,
    | 'MUNIMENT_FILES_URL'
    | 'MUNIMENT_FILES_ACCESS_KEY_ID'
    | 'MUNIMENT_FILES_SECRET_ACCESS_KEY'
    | 'MUNIMENT_FILES_NEW'
    | 'MUNIMENT_FILES_KEEP_DAYS'
  >,
): FileStorage | null {
  const { MUNIMENT_FILES_URL: address } = config;
  if (address === undefined) return null;
  const { MUNIMENT_FILES_ACCESS_KEY_ID: accessKeyId, MUNIMENT_FILES_SECRET_ACCESS_KEY: secretAccessKey } = config;
  return s3Storage(address, {
    credentials: accessKeyId === undefined || secretAccessKey === undefined ? null : { accessKeyId, secretAccessKey },
    takesNew: config.MUNIMENT_FILES_NEW === 'storage',
    keepDays: config.MUNIMENT_FILES_KEEP_DAYS,
  });
}

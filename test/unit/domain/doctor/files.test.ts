// Findings about where files are.
import { expect, it } from 'vitest';
import type { FileFacts } from '#domain/doctor/facts.ts';
import { judgeFiles } from '#domain/doctor/files.ts';
import { limits } from '#domain/doctor/limits.ts';

const inRows = { storage: null, files: 3, bytes: 3000 };
const outside = { storage: 's3://archive/muniment', files: 2, bytes: 2e6 };
const told = (facts: Partial<FileFacts>): readonly string[] =>
  judgeFiles(
    {
      storage: 's3://archive/muniment',
      fault: null,
      places: [inRows],
      waiting: { objects: 0, overdueSeconds: 0 },
      ...facts,
    },
    limits,
  ).map(({ level, id, says }) => `${level} ${id}: ${says}`);

it('says nothing where all files are in the database and no other place is named', () => {
  expect(told({ storage: null })).toEqual([]);
});

it('tells which files are where, and when they cannot be read', () => {
  expect(told({ places: [inRows, outside] })).toEqual([
    'notice files_by_place: Files: 3 in the database (3.0 kB), 2 in s3://archive/muniment (2.0 MB).',
  ]);
  expect(told({ storage: null, places: [inRows, outside] })).toEqual([
    'problem files_unreachable: 2 files are in s3://archive/muniment, and MUNIMENT_FILES_URL is not set: they cannot be read.',
  ]);
});

it('tells what the storage says, and of objects that are not removed', () => {
  expect(told({ fault: 'NoSuchBucket', places: [] })).toEqual([
    'problem file_storage_fails: The storage of files s3://archive/muniment cannot be used: NoSuchBucket.',
    'notice files_by_place: Files: none.',
  ]);
  expect(told({ waiting: { objects: 4, overdueSeconds: 200_000 } })[0]).toBe(
    'warning objects_not_removed: 4 objects of removed files are still in the storage, the first 2 days longer than MUNIMENT_FILES_KEEP_DAYS.',
  );
});

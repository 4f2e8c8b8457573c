// Where files are kept, for operators: how many are where, and moving them. Additions of Muniment.
import { fail } from '#domain/errors.ts';
import { filePlaces, moveFiles } from '#domain/jobs/move-files.ts';
import { readFilePlaces, readWaitingObjects } from '#store/files/objects.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { shape } from '../openapi/shape.ts';
import { madeJobReply } from '../openapi/shapes/envelopes.ts';
import { text } from '../request/parameters.ts';
import { madeJob } from '../record-routes/jobs.ts';
import { defineRoute } from '../route.ts';
import type { Route } from '../route.ts';

const area = 'system';
const isPlace = (text: string): text is (typeof filePlaces)[number] => filePlaces.some((place) => place === text);
const checkPlace = (to: string): string | null => (isPlace(to) ? null : `Must be one of: ${filePlaces.join(', ')}`);

const places = defineRoute({
  method: 'GET',
  path: '/system/files',
  operation: 'getFilePlaces',
  area,
  summary: 'Where files are kept',
  doc: 'How many files (uploads, files of jobs) are in the database and in a storage beside it.',
  access: { all: ['administer_system'] },
  parameters: {},
  replies: {
    200: {
      says: 'The storage that the configuration names (null: none), where new files go, how many complete files are where (`storage` null: in the database), and how many objects wait to be removed.',
      shape: shape.object({
        storage: shape.nullable(shape.text),
        new_files: shape.text,
        places: shape.list(
          shape.object({ storage: shape.nullable(shape.text), files: shape.integer, bytes: shape.integer }),
        ),
        waiting_removals: shape.integer,
      }),
      example: {
        storage: 's3://archive/muniment',
        new_files: 'storage',
        places: [{ storage: 's3://archive/muniment', files: 12, bytes: 3_400_000 }],
        waiting_removals: 0,
      },
    },
  },
  handler: async ({ services }) => {
    const { reader, settings } = services.database;
    const storage = settings.files ?? null;
    return {
      storage: storage?.name ?? null,
      new_files: storage?.takesNew === true ? 'storage' : 'database',
      places: (await readFilePlaces(reader)).map((place) => ({ ...place })),
      waiting_removals: (await readWaitingObjects(reader, storage?.keepDays ?? 0)).objects,
    };
  },
});

const move = defineRoute({
  method: 'POST',
  path: '/system/files/move',
  operation: 'moveFiles',
  area,
  summary: 'Move files into the storage or into the database',
  doc: 'Starts a job that moves every file that is elsewhere. Files are read and written meanwhile; each is where it was until its copy has been read again and found to be the same.',
  access: { all: ['administer_system'] },
  parameters: {
    to: text({
      check: checkPlace,
      doc: 's3: into the storage that MUNIMENT_FILES_URL names; database: back.',
      example: 's3',
    }),
  },
  replies: {
    ...madeJobReply(),
    400: 'No storage is configured.',
  },
  handler: async ({ services, params: { to }, caller }) => {
    if (!isPlace(to)) throw fail('bad_parameter', { to: ['Must be a place of files'] });
    if ((services.database.settings.files ?? null) === null)
      throw fail('not_allowed', 'There is no storage of files: MUNIMENT_FILES_URL is not set');
    const { jobId } = await services.database.transaction((tx) =>
      enqueueJob(tx, moveFiles, { to }, { visible: true, owner: caller.username }),
    );
    return madeJob(jobId);
  },
});

/** The routes of this file. */
export const fileRoutes: readonly Route[] = [places, move];

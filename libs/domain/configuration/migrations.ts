// The variables that say from where this service may be filled by itself, and where it keeps what it has read.
import { z } from 'zod';
import { listOf, plainName } from './values.ts';

// Set to nothing, it names none.
const sourcesIn = (text: string): readonly string[] => listOf(text).filter((each) => each !== '');
/** Scheme, host and port alone: what stands below is anybody's to choose. */
const isOrigin = (text: string): boolean =>
  /^https?:\/\//i.test(text) && URL.canParse(text) && new URL(text).href === `${new URL(text).origin}/`;

/** The variables by name; config.ts has them among the others. */
export const migrationVariables = {
  MUNIMENT_MIGRATION_SOURCES: z
    .string()
    .refine(
      (text) => sourcesIn(text).every(isOrigin),
      'must be origins, such as https://archives.example.org:8089, with commas between',
    )
    .transform((text): readonly string[] => sourcesIn(text).map((each) => new URL(each).origin))
    .optional()
    .describe(
      'Services whose records administrators may have read into this one (`POST /system/migrations`, `muniment migrate --server`): scheme, host and port, with commas between. Absent: none. Set it for API and workers alike.',
    ),
  MUNIMENT_MIGRATION_FOLDER: plainName()
    .optional()
    .describe(
      'Where workers keep what they have read of such services: a backup of them, and what a later migration goes on with. Several workers need one that they share. Default: `migrations` in MUNIMENT_DATA_DIR.',
    ),
} as const;

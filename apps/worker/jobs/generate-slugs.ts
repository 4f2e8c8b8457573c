// Handler of making slugs anew: a transaction a block, which may be repeated. Repositories always have one and are left alone.
import { generateSlugs } from '#domain/jobs/generate-slugs.ts';
import { kinds } from '#domain/kinds/index.ts';
import { generateSlugBlock } from '#store/records/writing/generate-names.ts';
import type { SlugNumbers } from '#store/records/writing/naming.ts';
import { defineHandler } from '../handler.ts';
import { nameAll } from '../job-steps/name-all.ts';

/** Makes the slugs; the value tells how many records got another. */
export const handler = defineHandler(generateSlugs, async (_payload, context) => {
  if ((context.generatedValues.naming?.slugs.from ?? 'off') === 'off') {
    context.log('Slugs are off in this installation (MUNIMENT_SLUGS); nothing was done.');
    return { changed: {} };
  }
  const numbers: SlugNumbers = new Map();
  return {
    changed: await nameAll(
      [...kinds.values()].filter((kind) => kind.properties['slug'] !== undefined && kind.ownSlug !== true),
      context,
      (tx, kind, after, generatedValues) => generateSlugBlock(tx, kind, after, generatedValues, numbers),
    ),
  };
});

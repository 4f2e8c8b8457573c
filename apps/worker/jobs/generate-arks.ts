// Handler of giving ARKs to records that stand already: a transaction a block, which may be repeated.
import { generateArks } from '#domain/jobs/generate-arks.ts';
import { kinds } from '#domain/kinds/index.ts';
import { generateArkBlock } from '#store/records/writing/generate-names.ts';
import { defineHandler } from '../handler.ts';
import { nameAll } from '../job-steps/name-all.ts';

/** Gives the names; the value tells how many records got one. */
export const handler = defineHandler(generateArks, async (_payload, context) => {
  if (context.generatedValues.naming?.arks.isOn !== true) {
    context.log('ARKs are off in this installation (MUNIMENT_ARKS); nothing was done.');
    return { changed: {} };
  }
  return {
    changed: await nameAll(
      [...kinds.values()].filter((kind) => kind.properties['ark_name'] !== undefined),
      context,
      generateArkBlock,
    ),
  };
});

// A context for prepare without a database: the lists of a new installation, all kinds, ids that count up.
import { allKinds } from '#domain/kinds/index.ts';
import type { PrepareContext } from '#domain/checking/prepare.ts';
import { makeUris } from '#domain/uri.ts';
import { referenceLists } from './lists.ts';

const lists = referenceLists();
const uris = makeUris(allKinds);

/** A context for `create` of a caller whose records are not published by default; `changes` replaces parts of it. */
export function testContext(changes: Partial<PrepareContext> = {}): PrepareContext {
  let made = 0;
  return {
    operation: 'create',
    enumerations: lists,
    generatedValues: { newHexId: () => (made += 1).toString(16).padStart(32, '0'), publishDefault: false },
    parseUri: uris.parse,
    acceptTemporary: false,
    createEnumerationValues: false,
    ...changes,
  };
}

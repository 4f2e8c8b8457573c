// Checking a stored body anew after its texts were changed: with what is kept outside of it put back, as a client would send it.
import { parseUri } from '../addresses.ts';
import { Failure, fail } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { Kind, GeneratedValues } from '../kind.ts';
import type { Enumerations } from './context.ts';
import { prepare } from './prepare.ts';

/** A changed body with its flag and, for nodes, the uri of its root; `uri` names it in failures. */
export type Rechecked = {
  readonly uri: string;
  readonly body: JsonObject;
  readonly publish: boolean | null;
  readonly rootUri: string | null;
};

/** Fails with `invalid_record` and the record's uri where a changed body would not be taken from a client. */
export function recheck(
  kind: Kind,
  { uri, body, publish, rootUri }: Rechecked,
  enumerations: Enumerations,
  generatedValues: GeneratedValues,
): void {
  const root = kind.tree === undefined || rootUri === null ? {} : { [kind.tree.rootProperty]: { ref: rootUri } };
  const input = { ...body, ...(publish === null ? {} : { publish }), ...root };
  try {
    prepare(kind, input, {
      operation: 'update',
      enumerations,
      generatedValues,
      parseUri,
      acceptTemporary: false,
      createEnumerationValues: false,
    });
  } catch (error) {
    if (error instanceof Failure) throw fail(error.code, error.error, { uri });
    throw error;
  }
}

// Where bodies made from schemas take their random parts from in tests without a service: a seed, the lists of a new installation, and records
// that need not exist.
import { kinds } from '#domain/kinds/index.ts';
import { seededRandom } from '../random.ts';
import type { BodySource } from './from-schema.ts';
import { referenceLists } from './lists.ts';

const lists = referenceLists();

/** The same parts for the same seed. */
export function seededSource(seed: number): BodySource {
  const random = seededRandom(seed);
  const uriOf = (names: readonly string[]): string | null => {
    const known = names.map((name) => kinds.get(name)).filter((kind) => kind !== undefined);
    const kind = known[Math.floor(random() * known.length)];
    return kind === undefined
      ? null
      : kind.uri.replace(':repo_id', '2').replace(':id', String(1 + Math.floor(random() * 500)));
  };
  return { random, listValues: (name) => lists.get(name)?.values ?? [], uriOf };
}

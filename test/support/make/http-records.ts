// Records made over HTTP, one of each kind on demand: bodies from the examples of the declarations, refs to records made first.
import { kindNamed } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import type { TestApi } from '../api.ts';
import { distinctExample } from './distinct.ts';

/** Makes records of a service in one repository. */
export type HttpRecords = {
  readonly repoId: number;
  /** A valid body of a kind that no record has yet, with its refs made. */
  body(kind: string): Promise<JsonObject>;
  /** Creates a record and gives its uri. */
  make(kind: string, changes?: JsonObject): Promise<string>;
  /** The uri of the one record of a kind that others refer to. */
  one(kind: string): Promise<string>;
  /** The address that creates records of a kind. */
  collection(kind: Kind): string;
};

/** Starts making records below a new repository. */
export async function httpRecords(api: Pick<TestApi, 'repository' | 'create'>): Promise<HttpRecords> {
  const repoId = await api.repository();
  const ones = new Map<string, Promise<string>>();
  let count = 0;
  const collection = (kind: Kind): string =>
    `${kind.uri.replace(':repo_id', String(repoId)).replace(/\/:id$/, '')}${kind.name === 'user' ? '?password=secret' : ''}`;
  const body = async (name: string): Promise<JsonObject> => {
    count += 1;
    const text = JSON.stringify(distinctExample(kindNamed(name), count));
    const refs = new Map(
      await Promise.all(
        [...text.matchAll(/"@(\w+)"/g)].map(async ([, kind = '']): Promise<[string, string]> => [
          kind,
          await one(kind),
        ]),
      ),
    );
    return JSON.parse(text.replace(/"@(\w+)"/g, (_, kind: string) => JSON.stringify(refs.get(kind))));
  };
  const make = async (name: string, changes: JsonObject = {}): Promise<string> =>
    api.create(collection(kindNamed(name)), { ...(await body(name)), ...changes });
  const one = (name: string): Promise<string> => {
    const known = ones.get(name);
    if (known !== undefined) return known;
    const made = make(name);
    ones.set(name, made);
    return made;
  };
  return { repoId, body, make, one, collection };
}

// Records made over HTTP, one of each kind on demand: bodies from the examples of the declarations, refs to records made first.
import { kindNamed } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import type { TestApi } from '../api.ts';

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

/** What differs between two records of a kind, where something must (contract: uniqueness). */
const own: { readonly [kind: string]: (n: number) => JsonObject } = {
  accession: (n) => ({ id_0: `A${n}` }),
  resource: (n) => ({ id_0: `R${n}` }),
  digital_object: (n) => ({ digital_object_id: `D${n}` }),
  agent_person: (n) => ({
    names: [{ sort_name_auto_generate: true, primary_name: `Person ${n}`, name_order: 'direct' }],
  }),
  agent_family: (n) => ({ names: [{ sort_name_auto_generate: true, family_name: `Family ${n}` }] }),
  agent_corporate_entity: (n) => ({ names: [{ sort_name_auto_generate: true, primary_name: `Body ${n}` }] }),
  agent_software: (n) => ({ names: [{ sort_name_auto_generate: true, software_name: `Software ${n}` }] }),
  subject: (n) => ({ terms: [{ term: `Term ${n}`, term_type: 'topical', vocabulary: '/vocabularies/1' }] }),
  location_profile: (n) => ({ name: `LP ${n}` }),
  classification: (n) => ({ identifier: `C${n}` }),
  classification_term: (n) => ({ title: `Class ${n}`, identifier: `c${n}` }),
  container_profile: (n) => ({ name: `CP ${n}` }),
  group: (n) => ({ group_code: `group${n}` }),
  user: (n) => ({ username: `person${n}` }),
  repository: (n) => ({ repo_code: `CODE${n}` }),
  custom_report_template: (n) => ({ name: `Report ${n}` }),
  vocabulary: (n) => ({ name: `Vocabulary ${n}`, ref_id: `voc${n}` }),
};

/** Starts making records below a new repository. */
export async function httpRecords(api: TestApi): Promise<HttpRecords> {
  const repoId = await api.repository();
  const ones = new Map<string, Promise<string>>();
  let count = 0;
  const collection = (kind: Kind): string =>
    `${kind.uri.replace(':repo_id', String(repoId)).replace(/\/:id$/, '')}${kind.name === 'user' ? '?password=secret' : ''}`;
  const body = async (name: string): Promise<JsonObject> => {
    count += 1;
    const text = JSON.stringify({ ...kindNamed(name).example, ...own[name]?.(count) });
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

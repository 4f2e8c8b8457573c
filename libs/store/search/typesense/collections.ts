// The collections of an installation: an alias names the one that is searched, a second alias one that is being made anew. Writers write into
// both; at the end the first alias is turned over, so searches never see a half-made index (docs/decisions/0014).
import { fail } from '#domain/errors.ts';
import type { Json } from '#domain/json.ts';
import { isObject, objectOf, objectsOf, textOf } from '#domain/json.ts';
import { statusOf } from './client.ts';
import type { TypesenseClient } from './client.ts';
import { collectionFields, schemaDigest } from './schema.ts';

/** The collections under one alias. */
export type Collections = {
  readonly alias: string;
  /** Names of the collections to write into: the live one, and one that is being made. Throws `unavailable` where there is none yet. */
  targets(): Promise<readonly string[]>;
  /** The collection that is searched; null: there is none yet. */
  live(): Promise<Described | null>;
  /** The fields of that collection, for who searches it. */
  searchedFields(): Promise<ReadonlySet<string> | null>;
  /** Makes a collection; nothing where it is there already. */
  create(name: string): Promise<void>;
  /** Makes a collection the live one, and drops all older ones. */
  turnTo(name: string): Promise<void>;
  /** The collection being made for a job; made, with its alias, where there is none. `isNew` says so. */
  building(jobId: number, now: number): Promise<{ readonly name: string; readonly isNew: boolean }>;
  /** A collection's documents and fields; null: there is no such collection. */
  describe(name: string): Promise<Described | null>;
};

/** A collection as the server describes it. `isCurrent`: it was made with the fields of this release. */
type Described = {
  readonly name: string;
  readonly documents: number;
  readonly fields: ReadonlySet<string>;
  readonly isCurrent: boolean;
};

/** The collections under an alias of a server. */
export function collectionsOf(client: TypesenseClient, alias: string): Collections {
  const next = `${alias}_next`;
  const point = async (from: string, to: string): Promise<void> =>
    void (await client.write(`PUT /aliases/${from}`, (server) =>
      server.aliases().upsert(from, { collection_name: to }),
    ));
  const pointedAt = async (name: string): Promise<string | null> => {
    const found = asJson(await client.write(`GET /aliases/${name}`, (server) => server.aliases(name).retrieve()));
    return isObject(found) ? (textOf(found, 'collection_name') ?? null) : null;
  };
  const drop = async (name: string): Promise<void> =>
    void (await client.write(`DELETE /collections/${name}`, (server) => server.collections(name).delete()));
  const create = async (name: string): Promise<void> => {
    const fields = [...collectionFields()];
    await client.write('POST /collections', async (server) => {
      try {
        await server.collections().create({ name, fields, metadata: { schema: schemaDigest() } });
      } catch (error) {
        // Another worker, or this one before it was killed.
        if (statusOf(error) !== 409) throw error;
      }
    });
  };
  const describe = async (name: string): Promise<Described | null> =>
    toDescribed(
      asJson(await client.write(`GET /collections/${name}`, (server) => server.collections(name).retrieve())),
    );
  return {
    alias,
    create,
    describe,
    live: () => describe(alias),
    searchedFields: async () => {
      const what = `GET /collections/${alias}`;
      return (
        toDescribed(asJson(await client.ask(what, (server) => server.collections(alias).retrieve())))?.fields ?? null
      );
    },
    targets: async () => {
      const found = asJson(await client.write('GET /aliases', (server) => server.aliases().retrieve()));
      const listed = objectsOf(isObject(found) ? found : undefined, 'aliases');
      const of = (name: string): string | undefined =>
        textOf(
          listed.find((one) => textOf(one, 'name') === name),
          'collection_name',
        );
      const live = of(alias);
      if (live === undefined) throw fail('unavailable', 'The search index has not been made yet');
      return [...new Set([live, of(next) ?? live])];
    },
    turnTo: async (name) => {
      await point(alias, name);
      const listed = await client.write('GET /collections', (server) =>
        server.collections().retrieve({ exclude_fields: 'fields' }),
      );
      const all = objectsOf({ all: asJson(listed) }, 'all').flatMap((one) => textOf(one, 'name') ?? []);
      const ours = new RegExp(`^${alias}_\\d+_\\d+$`);
      await Promise.all(all.filter((one) => one !== name && ours.test(one)).map(drop));
      // Last: as long as it is there, a job that was cut off goes on here.
      await client.write(`DELETE /aliases/${next}`, (server) => server.aliases(next).delete());
    },
    building: async (jobId, now) => {
      const begun = await pointedAt(next);
      if (begun !== null && begun.startsWith(`${alias}_${jobId}_`)) return { name: begun, isNew: false };
      const name = `${alias}_${jobId}_${now}`;
      await create(name);
      await point(next, name);
      if (begun !== null && begun !== (await pointedAt(alias))) await drop(begun);
      return { name, isNew: true };
    },
  };
}

// What the client returns is what JSON.parse gave, whatever its types promise.
const asJson = (reply: unknown): Json => reply as Json;

function toDescribed(value: Json): Described | null {
  if (!isObject(value)) return null;
  const { num_documents: documents } = value;
  return {
    name: textOf(value, 'name') ?? '',
    documents: typeof documents === 'number' ? documents : 0,
    fields: new Set(objectsOf(value, 'fields').flatMap((field) => textOf(field, 'name') ?? [])),
    isCurrent: textOf(objectOf(value, 'metadata'), 'schema') === schemaDigest(),
  };
}

/** The fields of the collection, remembered. Those of facets and sort keys come with the first document that has them. */
export type KnownFields = {
  /** All fields; looked up again where one of those asked for is not among them. */
  including(names: readonly string[]): Promise<ReadonlySet<string>>;
  /** Forgets them. Gives whether there were any. */
  forget(): boolean;
};

/** None are known yet. */
export function knownFields(collections: Collections): KnownFields {
  let known: ReadonlySet<string> = new Set();
  return {
    including: async (names) => {
      if (!names.every((name) => known.has(name))) known = (await collections.searchedFields()) ?? known;
      return known;
    },
    forget: () => {
      const hadSome = known.size > 0;
      known = new Set();
      return hadSome;
    },
  };
}

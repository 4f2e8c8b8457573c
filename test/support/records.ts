// Writing and reading records in tests, through the store itself: what a test needs first is made in one line.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { kindNamed, parseUri } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import type { GeneratedValues } from '#domain/kind.ts';
import { prepare } from '#domain/checking/prepare.ts';
import type { Transaction } from '#store/connection/database.ts';
import { Database } from '#store/connection/database.ts';
import { deleteRecord } from '#store/records/deleting/delete.ts';
import { readRecord } from '#store/records/reading/read.ts';
import type { Written } from '#store/records/writing/write.ts';
import { createRecord, updateRecord } from '#store/records/writing/write.ts';
import { createDatabase } from './database.ts';

type List = { readonly name: string; readonly editable: boolean; readonly values: readonly string[] };

const rows: readonly List[] = JSON.parse(
  readFileSync(new URL('../../db/reference/enumerations.json', import.meta.url), 'utf8'),
);
const enumerations = new Map(
  rows.map((row) => [
    row.name,
    { editable: row.editable, values: row.values, has: (value: string) => row.values.includes(value) },
  ]),
);
const generatedValues: GeneratedValues = { newHexId: () => randomBytes(16).toString('hex'), publishDefault: false };

/** A database with a repository of its own, and short forms of the store's functions. */
export type RecordStore = AsyncDisposable & {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly repoId: number;
  /** Creates a record; repository-scoped ones in the store's repository, or in the one given. */
  create(kind: string, body: JsonObject, repoId?: number): Promise<Written>;
  /** The same in a transaction of the caller. */
  createIn(tx: Transaction, kind: string, body: JsonObject, repoId?: number): Promise<Written>;
  update(uri: string, body: JsonObject, lockVersion?: unknown): Promise<Written>;
  updateIn(tx: Transaction, uri: string, body: JsonObject, lockVersion?: unknown): Promise<Written>;
  read(uri: string): Promise<JsonObject>;
  remove(uri: string): Promise<readonly string[]>;
};

/** Opens a fresh database with one repository. */
export async function openRecordStore(): Promise<RecordStore> {
  const own = await createDatabase();
  const database = new Database({ url: own.url, poolSize: 8 });
  const scope = (kind: string, repoId: number): number | null =>
    kindNamed(kind).scope === 'repository' ? repoId : null;
  const checked = (kind: string, body: JsonObject, operation: 'create' | 'update') =>
    prepare(kindNamed(kind), body, {
      operation,
      enumerations,
      generatedValues,
      parseUri,
      acceptTemporary: false,
      createEnumerationValues: false,
    });
  const createIn = (tx: Transaction, kind: string, body: JsonObject, repoId: number): Promise<Written> =>
    createRecord(tx, kindNamed(kind), checked(kind, body, 'create'), {
      actor: 'tester',
      repoId: scope(kind, repoId),
      generatedValues,
    });
  const create = (kind: string, body: JsonObject, repoId: number): Promise<Written> =>
    database.transaction((tx) => createIn(tx, kind, body, repoId));
  const addressOf = (uri: string): { readonly kind: string; readonly id: number; readonly repoId: number | null } => {
    const address = parseUri(uri);
    if (address === null) throw new Error(`${uri} is no record uri`);
    return address;
  };
  const updateIn: RecordStore['updateIn'] = async (tx, uri, body, lockVersion = body['lock_version']) => {
    const { kind, id, repoId } = addressOf(uri);
    return updateRecord(tx, kindNamed(kind), id, checked(kind, body, 'update'), lockVersion, {
      actor: 'tester',
      repoId,
      generatedValues,
    });
  };
  const repository = await create(
    'repository',
    { repo_code: `R${randomBytes(4).toString('hex')}`, name: 'A repository' },
    0,
  );
  return {
    database,
    databaseUrl: own.url,
    repoId: repository.id,
    create: (kind, body, repoId = repository.id) => create(kind, body, repoId),
    createIn: (tx, kind, body, repoId = repository.id) => createIn(tx, kind, body, repoId),
    update: async (uri, body, lockVersion) => database.transaction((tx) => updateIn(tx, uri, body, lockVersion)),
    updateIn,
    read: async (uri) => {
      const { kind, id, repoId } = addressOf(uri);
      return JSON.parse(
        (await readRecord(database.reader, kindNamed(kind), id, repoId, { seesSuppressed: true })).text,
      );
    },
    remove: async (uri) => {
      const { kind, id, repoId } = addressOf(uri);
      return database.transaction((tx) => deleteRecord(tx, kindNamed(kind), id, repoId, 'tester'));
    },
    [Symbol.asyncDispose]: async () => {
      await database[Symbol.asyncDispose]();
      await own.drop();
    },
  };
}

/** A minimal valid body of a resource; `id_0` tells it from others. */
export const resourceBody = (id0: string, more: JsonObject = {}): JsonObject => ({
  title: `Resource ${id0}`,
  id_0: id0,
  level: 'collection',
  finding_aid_language: 'eng',
  finding_aid_script: 'Latn',
  extents: [{ portion: 'whole', number: '1', extent_type: 'linear_feet' }],
  dates: [{ date_type: 'single', label: 'creation', begin: '1900' }],
  lang_materials: [{ language_and_script: { language: 'eng', script: 'Latn' } }],
  ...more,
});

/** A minimal valid body of a person. */
export const personBody = (name: string, more: JsonObject = {}): JsonObject => ({
  names: [{ primary_name: name, name_order: 'direct', sort_name_auto_generate: true }],
  ...more,
});

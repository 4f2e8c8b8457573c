// Controlled lists in the store: the memory of them, and values renamed wherever records hold them (contract 6.13).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Failure } from '#domain/errors.ts';
import { addListValues } from '#store/enumerations/completed-lists.ts';
import { EnumerationCache, enumerationChannel, readEnumeration } from '#store/enumerations/lists.ts';
import { isInUse, renameUses } from '#store/enumerations/uses.ts';
import { suppressValue } from '#store/enumerations/update-value.ts';
import { createEnumeration, migrateValue, updateEnumeration } from '#store/enumerations/update.ts';
import { Listener } from '#store/connection/listener.ts';
import { IdRow, NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { Transaction } from '#store/connection/database.ts';
import { beside } from '#test/support/lock-waits.ts';
import { openRecordStore, personBody, resourceBody } from '../../../support/records.ts';
import type { RecordStore } from '../../../support/records.ts';

let store: RecordStore;
const context = { actor: 'tester', trims: true };
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(() => store[Symbol.asyncDispose]());

const rename = (list: string, from: string, to: string): Promise<number> =>
  store.database.transaction((tx) => renameUses(tx, { list, from, to, actor: context.actor }));
const inUse = (list: string, value: string): Promise<boolean> =>
  store.database.transaction((tx) => isInUse(tx, list, value));

describe('the memory of the lists', () => {
  it('knows suppressed values, which are not among those shown', async () => {
    const cache = await EnumerationCache.load(store.database.reader);
    const { id } = await store.database.reader.one(sql.type(IdRow)`
      SELECT v.id FROM enumeration_value v JOIN enumeration e ON e.id = v.enumeration_id WHERE e.name = 'name_rule' AND v.value = 'dacs'`);
    await store.database.transaction((tx) => suppressValue(tx, id, true));
    expect(cache.get('name_rule')?.values).toContain('dacs');
    await cache.reload();
    expect(cache.get('name_rule')?.values).not.toContain('dacs');
    expect(cache.get('name_rule')?.has('dacs')).toBe(true);
    expect(cache.get('archival_record_level')?.editable).toBe(false);
    expect(cache.get('no such list')).toBeUndefined();
  });

  it('holds a change that was made before it was asked to read, however many ask at once', async () => {
    const cache = await EnumerationCache.load(store.database.reader);
    const first = cache.reload();
    const made = await store.database.transaction((tx) =>
      createEnumeration(tx, { name: 'late', values: ['a'] }, context),
    );
    await Promise.all([first, cache.reload(), cache.reload()]);
    expect(cache.get('late')?.has('a')).toBe(true);
    expect(made.lockVersion).toBe(0);
  });

  it('is told of changes by the database', async () => {
    await using listener = new Listener({ url: store.database.settings.url });
    const told = Promise.withResolvers<void>();
    await listener.subscribe(enumerationChannel, (payload) => payload !== null && told.resolve());
    await store.database.transaction((tx) => createEnumeration(tx, { name: 'told', values: [] }, context));
    await told.promise;
  });
});

describe('isInUse', () => {
  it('tells a value of a list from the same word in another list, and from text', async () => {
    await store.create('accession', {
      id_0: 'use',
      title: '"extent_type":"reels"',
      accession_date: '2020-01-01',
      dates: [{ date_type: 'single', label: 'creation', begin: '1900' }],
    });
    expect(await inUse('extent_extent_type', 'reels')).toBe(false);
    expect(await inUse('date_label', 'creation')).toBe(true);
    expect(await inUse('date_type', 'creation')).toBe(false);
  });

  it('finds values in links that both sides write', async () => {
    const parent = await store.create('agent_person', personBody('Parent'));
    await store.create(
      'agent_person',
      personBody('Child', {
        related_agents: [{ jsonmodel_type: 'agent_relationship_parentchild', relator: 'is_child_of', ref: parent.uri }],
      }),
    );
    expect(await inUse('agent_relationship_parentchild_relator', 'is_child_of')).toBe(true);
    expect(await inUse('agent_relationship_parentchild_relator', 'is_parent_of')).toBe(false);
  });
});

describe('renaming', () => {
  it('reaches nested sub-records, link properties and roles, and nothing else', async () => {
    const agent = await store.create('agent_person', personBody('Author'));
    const made = await store.create(
      'resource',
      resourceBody('deep', {
        title: 'cre',
        linked_agents: [{ role: 'creator', relator: 'cre', ref: agent.uri }],
        notes: [
          {
            jsonmodel_type: 'note_multipart',
            type: 'bioghist',
            subnotes: [{ jsonmodel_type: 'note_text', content: 'cre' }],
          },
        ],
      }),
    );
    await store.database.transaction((tx) =>
      tx.run(sql`UPDATE record SET system_mtime = '2001-01-01' WHERE kind = 'resource' AND id = ${made.id}`),
    );
    expect(await rename('linked_agent_archival_record_relators', 'cre', 'aut')).toBe(1);
    const after = await store.read(made.uri);
    expect(after).toMatchObject({
      title: 'cre',
      linked_agents: [{ role: 'creator', relator: 'aut' }],
      notes: [{ subnotes: [{ content: 'cre' }] }],
      lock_version: 0,
    });
    expect(String(after['system_mtime']) > '2001').toBe(true);
    const { n } = await store.database.reader.one(sql.type(NumberRow)`
      SELECT count(*)::int AS n FROM change WHERE kind = 'resource' AND id = ${made.id} AND op = 'update'`);
    expect(n).toBe(1);
  });

  it('reaches links that both sides write, and re-dates both', async () => {
    const other = await store.create('agent_person', personBody('Other'));
    const made = await store.create(
      'agent_person',
      personBody('Related', {
        related_agents: [
          { jsonmodel_type: 'agent_relationship_associative', relator: 'is_associative_with', ref: other.uri },
        ],
      }),
    );
    await rename('agent_relationship_associative_relator', 'is_associative_with', 'is_friend_of');
    expect((await store.read(made.uri))['related_agents']).toMatchObject([{ relator: 'is_friend_of', ref: other.uri }]);
    expect((await store.read(other.uri))['related_agents']).toMatchObject([{ relator: 'is_friend_of', ref: made.uri }]);
  });

  it('renames more records than are read at once', async () => {
    const first = await store.create('accession', {
      id_0: 'many',
      title: 't',
      accession_date: '2020-01-01',
      extents: [{ portion: 'whole', number: '1', extent_type: 'volumes' }],
    });
    await store.database.transaction((tx) =>
      tx.run(sql`
      INSERT INTO record (kind, id, repo_id, label, body) SELECT kind, nextval('accession_id_seq'), repo_id, label, body FROM record, generate_series(1, 1200) WHERE kind = 'accession' AND id = ${first.id}`),
    );
    expect(await rename('extent_extent_type', 'volumes', 'reels')).toBe(1201);
    expect(await inUse('extent_extent_type', 'volumes')).toBe(false);
  });

  it('keeps unique keys in step, and refuses to make two records the same', async () => {
    const subject = (source: string) => ({
      source,
      vocabulary: '/vocabularies/1',
      terms: [{ term: 'Rivers', term_type: 'topical', vocabulary: '/vocabularies/1' }],
    });
    await store.create('subject', subject('aat'));
    await rename('subject_source', 'aat', 'tgn');
    await store.create('subject', subject('aat'));
    await expect(store.create('subject', subject('tgn'))).rejects.toThrow('unique');
    await expect(rename('subject_source', 'aat', 'tgn')).rejects.toThrow(Failure);
    expect(await inUse('subject_source', 'aat')).toBe(true);
  });
});

describe('changing a list', () => {
  it('lets one of two who change it at once win', async () => {
    const list = await store.database.transaction((tx) =>
      createEnumeration(tx, { name: 'race', values: ['a'] }, context),
    );
    const add = (value: string) =>
      store.database.transaction((tx) => updateEnumeration(tx, list.id, { values: ['a', value] }, 0, context));
    const results = await Promise.allSettled([add('b'), add('c')]);
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await readEnumeration(store.database.reader, { id: list.id }))['values']).toHaveLength(2);
  });

  it('moves the default along with the value', async () => {
    const list = await store.database.transaction((tx) =>
      createEnumeration(tx, { name: 'defaulted', values: ['a', 'b'], default_value: 'a' }, context),
    );
    const after = await store.database.transaction((tx) => migrateValue(tx, list.id, 'a', 'b', context));
    expect(after).toMatchObject({ values: ['b'], default_value: 'b', lock_version: 1 });
  });
});

describe('values that imports bring', () => {
  it('come last, also where one stands at the last place that there is', async () => {
    const values = await store.database.transaction(async (tx) => {
      const { id } = await createEnumeration(tx, { name: 'full', values: ['a', 'b'] }, context);
      await tx.run(
        sql`UPDATE enumeration_value SET position = 2147483647 WHERE enumeration_id = ${id} AND value = 'a'`,
      );
      await addListValues(tx, [{ list: 'full', value: 'c' }], 'tester');
      return (await readEnumeration(tx, { id }))['values'];
    });
    expect(values).toEqual(['b', 'a', 'c']);
  });

  it('have a place each, also of two who add to one list at once', async () => {
    const { id } = await store.database.transaction((tx) =>
      createEnumeration(tx, { name: 'shared', values: ['a'] }, context),
    );
    const add = (value: string) => (tx: Transaction) => addListValues(tx, [{ list: 'shared', value }], 'tester');
    await beside(store.database, add('z'), () => store.database.transaction(add('b')));
    expect(await readEnumeration(store.database.reader, { id })).toMatchObject({
      enumeration_values: [
        { value: 'a', position: 0 },
        { value: 'z', position: 1 },
        { value: 'b', position: 2 },
      ],
    });
  });
});

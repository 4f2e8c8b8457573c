// Creating, updating and reading records: versions, links, uniqueness, places in trees, the change log.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Failure } from '#domain/errors.ts';
import { keysOf } from '#domain/checking/split.ts';
import { accession, subject } from '#domain/kinds/index.ts';
import { NumberRow, column } from '#store/connection/columns.ts';
import { AnyRow } from '#test/support/rows.ts';
import type { Transaction } from '#store/connection/database.ts';
import { Database } from '#store/connection/database.ts';
import { patienceOfRequests } from '#store/connection/lock-waits.ts';
import { sql } from '#store/connection/sql.ts';
import { storedForms } from '#store/records/writing/stored-form.ts';
import { claimKeys } from '#store/records/writing/unique-keys.ts';
import { createMany } from '#store/records/writing/write-many.ts';
import { counting } from '../../../../support/count-statements.ts';
import { beside } from '../../../../support/lock-waits.ts';
import type { RecordStore } from '../../../../support/records.ts';
import { openRecordStore, personBody, resourceBody } from '../../../../support/records.ts';

let store: RecordStore;
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

const failureOf = async (work: Promise<unknown>): Promise<Failure> => {
  const error: unknown = await work.then(
    () => new Error('did not fail'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Failure)) throw error;
  return error;
};

describe('creating a record', () => {
  it('answers its uri, version 0, and reads back with audit fields at the record and its sub-records', async () => {
    const written = await store.create('accession', {
      id_0: 'A1',
      title: 'Letters',
      accession_date: '2020-01-01',
      extents: [{ portion: 'whole', number: '2', extent_type: 'volumes' }],
    });
    const record = await store.read(written.uri);
    expect(record).toMatchObject({
      uri: written.uri,
      lock_version: 0,
      created_by: 'tester',
      title: 'Letters',
      display_string: 'Letters',
      suppressed: false,
      publish: false,
      linked_events: [],
    });
    expect(record['extents']).toMatchObject([
      { number: '2', created_by: 'tester', lock_version: 0, jsonmodel_type: 'extent' },
    ]);
    expect(record['repository']).toEqual({ ref: `/repositories/${store.repoId}` });
  });

  it('keeps a text that looks like the audit mark as it was sent', async () => {
    const title = 'a {"jsonmodel_type":"extent"} in a title';
    const written = await store.create('accession', { id_0: 'A-mark', title, accession_date: '2020-01-01' });
    expect((await store.read(written.uri))['title']).toBe(title);
  });

  it('refuses a link to a record that does not exist, naming it', async () => {
    const failure = await failureOf(
      store.create('accession', { id_0: 'A2', accession_date: '2020-01-01', subjects: [{ ref: '/subjects/999999' }] }),
    );
    expect([failure.status, failure.error]).toEqual([400, "Can't relate to non-existent record: /subjects/999999"]);
  });

  it('refuses a component of a resource that does not exist, a new one and one that is to go there, naming it', async () => {
    const { uri } = await store.create('resource', resourceBody('A-root'));
    const missing = `/repositories/${store.repoId}/resources/999999`;
    const of = (ref: string) => ({ title: 'Part', level: 'file', resource: { ref } });
    const node = await store.create('archival_object', of(uri));
    const made = () => store.create('archival_object', of(missing));
    const moved = () => store.update(node.uri, of(missing), 0);
    for (const work of [made, moved]) {
      const failure = await failureOf(work());
      expect([failure.status, failure.error]).toEqual([400, `Can't relate to non-existent record: ${missing}`]);
    }
    expect(await store.read(node.uri)).toMatchObject({ resource: { ref: uri }, lock_version: 0 });
  });

  it('refuses a link into another repository', async () => {
    const other = await store.create('repository', { repo_code: 'OTHER', name: 'Other' });
    const box = await store.create('top_container', { indicator: '1' }, other.id);
    const failure = await failureOf(
      store.create('accession', {
        id_0: 'A3',
        accession_date: '2020-01-01',
        instances: [{ instance_type: 'mixed_materials', sub_container: { top_container: { ref: box.uri } } }],
      }),
    );
    expect(failure.error).toBe(`Invalid URI reference for this (${store.repoId}) repo: '${box.uri}'`);
  });

  it('lets one of ten writers of the same identifier win and tells the others which property is taken', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () => store.create('accession', { id_0: 'RACE', accession_date: '2020-01-01' })),
    );
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason.error).toEqual({ id_0: ['That ID is already in use'] });
  });

  it('stores nothing where it fails', async () => {
    const before = await store.database.reader.one(sql.type(NumberRow)`SELECT count(*)::int AS n FROM record`);
    await failureOf(
      store.create('archival_object', {
        title: 'Lost',
        level: 'file',
        resource: { ref: `/repositories/${store.repoId}/resources/999999` },
      }),
    );
    expect(await store.database.reader.one(sql.type(AnyRow)`SELECT count(*)::int AS n FROM record`)).toEqual(before);
  });

  it('finds or makes the terms of a subject, and shares them', async () => {
    const vocabulary = await store.create('vocabulary', { name: 'V', ref_id: 'v' });
    const term = { term: 'Harbours', term_type: 'topical', vocabulary: vocabulary.uri };
    const first = await store.read(
      (await store.create('subject', { vocabulary: vocabulary.uri, source: 'local', terms: [term] })).uri,
    );
    const second = await store.read(
      (
        await store.create('subject', {
          vocabulary: vocabulary.uri,
          source: 'local',
          terms: [term, { ...term, term: 'Ships' }],
        })
      ).uri,
    );
    expect(second['title']).toBe('Harbours -- Ships');
    const uriOfTerm = (record: typeof first): unknown =>
      Array.isArray(record['terms'])
        ? record['terms'].map((each) =>
            typeof each === 'object' && each !== null && 'uri' in each ? each.uri : null,
          )[0]
        : null;
    expect(uriOfTerm(first)).toMatch(/^\/terms\/\d+$/);
    expect(uriOfTerm(second)).toBe(uriOfTerm(first));
  });
});

describe('updating a record', () => {
  it('raises the version, keeps the old body as a revision, and refuses the old version afterwards', async () => {
    const written = await store.create('accession', { id_0: 'U1', title: 'Before', accession_date: '2020-01-01' });
    const body = { ...(await store.read(written.uri)), title: 'After' };
    expect((await store.update(written.uri, body)).lockVersion).toBe(1);
    expect(await store.read(written.uri)).toMatchObject({ title: 'After', lock_version: 1 });
    const stale = await failureOf(store.update(written.uri, body));
    expect([stale.status, stale.error]).toEqual([
      409,
      'The record you tried to update has been modified since you fetched it.',
    ]);
    const none = await failureOf(store.update(written.uri, body, null));
    expect(none.error).toBe('You must provide a lock_version in your request');
    const kept = await store.database.reader.any(sql.type(z.strictObject({ body: column.text, op: column.text }))`
      SELECT body, op FROM revision WHERE kind = 'accession' AND id = ${written.id}`);
    expect(kept.map((row) => [row.op, JSON.parse(row.body).title])).toEqual([['update', 'Before']]);
  });

  it('writes one change for each write, in order, and none for a refused one', async () => {
    const written = await store.create('accession', { id_0: 'U2', accession_date: '2020-01-01' });
    await store.update(written.uri, await store.read(written.uri));
    await failureOf(store.update(written.uri, { id_0: 'U2', accession_date: '2020-01-01' }, 0));
    const changes = await store.database.reader.any(sql.type(
      z.strictObject({ op: column.text, lock_version: column.int }),
    )`
      SELECT op, lock_version FROM change WHERE kind = 'accession' AND id = ${written.id} ORDER BY seq`);
    expect(changes).toEqual([
      { op: 'create', lock_version: 0 },
      { op: 'update', lock_version: 1 },
    ]);
  });

  it('frees the identifier that a record gives up', async () => {
    const written = await store.create('accession', { id_0: 'OLD', accession_date: '2020-01-01' });
    await store.update(written.uri, { ...(await store.read(written.uri)), id_0: 'NEW' });
    await expect(store.create('accession', { id_0: 'OLD', accession_date: '2020-01-01' })).resolves.toMatchObject({
      lockVersion: 0,
    });
  });

  it('shows a link that both sides may write on either side, and takes it from either', async () => {
    const accession = await store.create('accession', { id_0: 'M1', accession_date: '2020-01-01' });
    const resource = await store.create(
      'resource',
      resourceBody('M1', { related_accessions: [{ ref: accession.uri }] }),
    );
    expect((await store.read(accession.uri))['related_resources']).toMatchObject([{ ref: resource.uri }]);
    await store.update(accession.uri, { ...(await store.read(accession.uri)), related_resources: [] });
    expect((await store.read(resource.uri))['related_accessions']).toEqual([]);
  });

  it('has such a link once where both sides are saved at once', async () => {
    const near = await store.create('accession', { id_0: 'both sides', accession_date: '2020-01-01' });
    const far = await store.create('resource', resourceBody('M2', { related_accessions: [{ ref: near.uri }] }));
    const [nearBody, farBody] = [await store.read(near.uri), await store.read(far.uri)];
    await beside(
      store.database,
      (tx) => store.updateIn(tx, near.uri, nearBody),
      () => store.update(far.uri, farBody),
    );
    expect((await store.read(near.uri))['related_resources']).toMatchObject([{ ref: far.uri }]);
  });
});

describe('nodes of a tree', () => {
  it('takes few turns of the database, however many links it has: what does not hang on each other is sent at once', async () => {
    const root = await store.create('resource', resourceBody('turns'));
    const agents = await Promise.all(['A', 'B', 'C'].map((name) => store.create('agent_person', personBody(name))));
    const body = {
      title: 'T',
      level: 'file',
      resource: { ref: root.uri },
      linked_agents: agents.map(({ uri }) => ({ ref: uri, role: 'creator' })),
    };
    const turnsOf = (work: (tx: Transaction) => Promise<unknown>): Promise<number> =>
      store.database.transaction(async (tx) => {
        const counted = counting(tx);
        await work(counted.tx);
        return counted.turns();
      });
    expect(await turnsOf((tx) => store.createIn(tx, 'archival_object', body))).toBeLessThanOrEqual(4);
    const { uri } = await store.create('archival_object', body);
    const read = await store.read(uri);
    // One of them is for its relations, of which it has none.
    expect(await turnsOf((tx) => store.updateIn(tx, uri, { ...read, title: 'U' }))).toBeLessThanOrEqual(5);
    expect(await store.read(uri)).toMatchObject({ title: 'U', position: 1, linked_agents: body.linked_agents });
  });

  it('know their ancestors, position and hidden ancestors', async () => {
    const resource = await store.create('resource', resourceBody('T1', { publish: true }));
    const series = await store.create('archival_object', {
      title: 'Series',
      level: 'series',
      publish: true,
      resource: { ref: resource.uri },
    });
    const make = (title: string, position?: number) =>
      store.create('archival_object', {
        title,
        level: 'file',
        resource: { ref: resource.uri },
        parent: { ref: series.uri },
        ...(position === undefined ? {} : { position }),
      });
    const first = await make('First');
    const second = await make('Second', 0);
    expect(await store.read(first.uri)).toMatchObject({
      position: 1,
      parent: { ref: series.uri },
      resource: { ref: resource.uri },
      has_unpublished_ancestor: false,
      ancestors: [
        { ref: series.uri, level: 'series' },
        { ref: resource.uri, level: 'collection' },
      ],
    });
    expect((await store.read(second.uri))['position']).toBe(0);
    await store.update(series.uri, { ...(await store.read(series.uri)), publish: false });
    expect((await store.read(first.uri))['has_unpublished_ancestor']).toBe(true);
  });

  it('stay below their parent when they are saved with another one, and move when another root is given', async () => {
    const from = await store.create('resource', resourceBody('T2'));
    const to = await store.create('resource', resourceBody('T3'));
    const parent = await store.create('archival_object', {
      title: 'Parent',
      level: 'series',
      resource: { ref: from.uri },
    });
    const child = await store.create('archival_object', {
      title: 'Child',
      level: 'file',
      resource: { ref: from.uri },
      parent: { ref: parent.uri },
    });
    const { parent: _, ...orphan } = await store.read(child.uri);
    await store.update(child.uri, orphan);
    expect((await store.read(child.uri))['parent']).toEqual({ ref: parent.uri });
    await store.update(parent.uri, { ...(await store.read(parent.uri)), resource: { ref: to.uri } });
    expect(await store.read(child.uri)).toMatchObject({ resource: { ref: to.uri }, parent: { ref: parent.uri } });
  });
});

describe('the stored forms of several new records', () => {
  it('get a slug each where several want one at the same moment', async () => {
    const wanted = { slug: 'at_once', is_slug_auto: false };
    // As the API opens it: jobs, whose waits have no bound, do not wait for each other here.
    await using database = new Database({ url: store.databaseUrl, poolSize: 6, lockPatience: patienceOfRequests });
    const made = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        database.transaction((tx) =>
          store.createIn(tx, 'accession', { id_0: `at once ${n}`, accession_date: '2020-01-01', ...wanted }),
        ),
      ),
    );
    const slugs = await Promise.all(made.map(async ({ uri }) => (await store.read(uri))['slug']));
    expect(slugs.sort()).toEqual(['at_once', ...[1, 2, 3, 4, 5].map((n) => `at_once_${n}`)]);
  });

  it('share terms that are new, and number a slug that several want', async () => {
    const vocabulary = '/vocabularies/1';
    const term = { jsonmodel_type: 'term', term: 'Shared by several', term_type: 'topical', vocabulary };
    const body = {
      jsonmodel_type: 'subject',
      source: 'local',
      vocabulary,
      terms: [term],
      slug: 'several',
      is_slug_auto: false,
    };
    const forms = await store.database.transaction((tx) =>
      storedForms(
        tx,
        { kind: subject, id: null, repoId: null, old: null },
        [body, { ...body, terms: [] }, body].map((each) => ({
          body: each,
          links: [],
          newEnumerationValues: [],
          warnings: {},
        })),
        { actor: 'tester', repoId: null, generatedValues: { newHexId: () => '', publishDefault: false } },
      ),
    );
    expect(forms.map((form) => form.body['slug'])).toEqual(['several', 'several_1', 'several_2']);
    const [first, without, last] = forms.map((form) => form.body['terms']);
    expect(first).toMatchObject([{ ...term, uri: expect.stringMatching(/^\/terms\/\d+$/) }]);
    expect([without, last]).toEqual([[], first]);
  });
});

describe('agents', () => {
  it('refuses a second agent of the same content and names the first', async () => {
    const first = await store.create('agent_person', personBody('Twin'));
    const failure = await failureOf(store.create('agent_person', personBody('Twin')));
    expect(failure.error).toEqual({ names: ['Agent must be unique'], conflicting_record: [first.uri] });
  });

  it('shows the inverse relator on the far side of a relationship', async () => {
    const parent = await store.create('agent_person', personBody('Parent'));
    const child = await store.create(
      'agent_person',
      personBody('Child', {
        related_agents: [{ jsonmodel_type: 'agent_relationship_parentchild', relator: 'is_child_of', ref: parent.uri }],
      }),
    );
    expect((await store.read(child.uri))['related_agents']).toMatchObject([
      { relator: 'is_child_of', ref: parent.uri },
    ]);
    expect((await store.read(parent.uri))['related_agents']).toMatchObject([
      { relator: 'is_parent_of', ref: child.uri, jsonmodel_type: 'agent_relationship_parentchild' },
    ]);
  });
});

describe('a key that another record has', () => {
  const body = (part: string) => ({ id_0: part, accession_date: '2020-01-01' });
  const keys = (part: string) => keysOf(accession, body(part), store.repoId, null);

  it.each([
    ['one record', (tx: Transaction, part: string) => claimKeys(tx, accession.name, 999_999, keys(part), true)],
    [
      'many records',
      (tx: Transaction, part: string) =>
        createMany(tx, accession, [{ body: body(part), links: [], newEnumerationValues: [], warnings: {} }], {
          actor: 'tester',
          repoId: store.repoId,
          generatedValues: { newHexId: () => '', publishDefault: false },
        }),
    ],
  ] as const)('stays with it until who was refused has ended: %s', async (part, claim) => {
    const owner = await store.create(accession.name, body(part));
    await beside(
      store.database,
      async (tx) => expect((await failureOf(claim(tx, part))).code).toBe('not_unique'),
      () => store.remove(owner.uri),
    );
  });
});

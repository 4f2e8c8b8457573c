// What is written to the harbour board's records, as changes of the database as a whole: row by row, those of links, keys, trees, revisions and the
// change log too. Read beside the contract (behaviour-records 3, 5, 6) before it was kept.
import { expect, it } from 'vitest';
import { kindNamed, parseUri } from '#domain/addresses.ts';
import { prepare } from '#domain/checking/prepare.ts';
import type { JsonObject } from '#domain/json.ts';
import { namingOff } from '#domain/identifiers/naming.ts';
import type { MergeWhat } from '#domain/merges/merges.ts';
import { toMergeRecords } from '#domain/merges/merges.ts';
import { sql } from '#store/connection/sql.ts';
import { EnumerationCache } from '#store/enumerations/lists.ts';
import { isInUse, renameUses } from '#store/enumerations/uses.ts';
import { mergeRecords } from '#store/merges/merge.ts';
import { undoMerge } from '#store/merges/undo.ts';
import { deleteRecord } from '#store/records/deleting/delete.ts';
import { purgeHistory } from '#store/records/history/purge.ts';
import { publishRecord } from '#store/records/visibility/publish.ts';
import { suppressRecord } from '#store/records/visibility/suppress.ts';
import { lockStored, reviseMany } from '#store/records/writing/revise.ts';
import { ensureTerms } from '#store/records/writing/terms.ts';
import { createRecord, updateRecord } from '#store/records/writing/write.ts';
import { transferRecord } from '#store/transfers/transfer.ts';
import { harbourRecords } from '#test/support/harbour.ts';
import type { Work } from '#test/support/kept-changes.ts';
import { expectChanges } from '#test/support/kept-changes.ts';
import { loadHarbour } from '#test/support/loaded-harbour.ts';
import { testContext } from '#test/support/make/prepare-context.ts';

const database = await loadHarbour();
const repoId = 2;
const actor = 'jane';

const keepChanges = (works: { readonly [name: string]: Work }, name: string): Promise<void> =>
  expectChanges(database, works, name);

const addressOf = (uri: string) => parseUri(uri) ?? expect.fail(uri);
const sentOf = (uri: string): JsonObject =>
  harbourRecords.find((record) => record.uri === uri)?.sent ?? expect.fail(uri);
const contextOf = (repository: number | null) => ({
  actor,
  repoId: repository,
  generatedValues: testContext().generatedValues,
});

const save =
  (uri: string, change: JsonObject, lockVersion = 0): Work =>
  async (tx) => {
    const { kind, id, repoId: where } = addressOf(uri);
    const prepared = prepare(kindNamed(kind), { ...sentOf(uri), ...change }, testContext({ operation: 'update' }));
    const { warnings: _, ...written } = await updateRecord(
      tx,
      kindNamed(kind),
      id,
      prepared,
      lockVersion,
      contextOf(where),
    );
    return written;
  };
const create =
  (kind: string, body: JsonObject): Work =>
  async (tx) => {
    const declared = kindNamed(kind);
    const prepared = prepare(declared, body, testContext());
    const where = declared.scope === 'repository' ? repoId : null;
    const { warnings: _, ...written } = await createRecord(tx, declared, prepared, contextOf(where));
    return written;
  };
const remove =
  (uri: string, lockVersion: number | null = null): Work =>
  (tx) => {
    const { kind, id, repoId: where } = addressOf(uri);
    return deleteRecord(tx, kindNamed(kind), id, where, actor, lockVersion);
  };

const R = `/repositories/${repoId}`;

it('saves', async () => {
  await keepChanges(
    {
      'another title and fewer links of a resource': save(`${R}/resources/1`, {
        notes: [],
        title: 'Harbour papers',
        subjects: [{ ref: '/subjects/2' }],
        linked_agents: [],
        instances: [],
      }),
      'the same of a resource': save(`${R}/resources/1`, { notes: [] }),
      'an old version': save(`${R}/resources/1`, {}, 4),
      'another related accession': save(`${R}/accessions/2`, { related_resources: [{ ref: `${R}/resources/1` }] }),
      'another name of an agent': save('/agents/corporate_entities/2', {
        names: [{ primary_name: 'Guild', source: 'local', sort_name_auto_generate: true }],
      }),
      'another barcode of a box': save(`${R}/top_containers/1`, {
        barcode: 'BOX-0032',
        container_locations: [],
      }),
      'another level of a node': save(`${R}/archival_objects/1`, { level: 'class' }),
    },
    'saves',
  );
});

it('makes', async () => {
  await keepChanges(
    {
      'an accession': create('accession', {
        id_0: 'N1',
        accession_date: '2020-01-01',
        linked_agents: [{ ref: '/agents/people/2', role: 'source' }],
        instances: [{ instance_type: 'text', sub_container: { top_container: { ref: `${R}/top_containers/2` } } }],
      }),
      'an accession of a taken identifier': create('accession', { id_0: '1989', accession_date: '2020-01-01' }),
      'a node behind others': create('archival_object', {
        title: 'New',
        level: 'file',
        resource: { ref: `${R}/resources/1` },
        parent: { ref: `${R}/archival_objects/1` },
      }),
      'a node before others': create('archival_object', {
        title: 'New',
        level: 'file',
        position: 0,
        resource: { ref: `${R}/resources/1` },
        parent: { ref: `${R}/archival_objects/1` },
      }),
      'a node in no tree': create('archival_object', {
        title: 'New',
        level: 'file',
        resource: { ref: `${R}/resources/99` },
      }),
      'a link to nobody': create('accession', {
        id_0: 'N2',
        accession_date: '2020-01-01',
        subjects: [{ ref: '/subjects/77' }],
      }),
      'an event': create('event', {
        event_type: 'processed',
        timestamp: '2020-01-01T00:00:00Z',
        linked_agents: [{ ref: '/agents/people/2', role: 'implementer' }],
        linked_records: [{ ref: `${R}/archival_objects/2`, role: 'source' }],
      }),
    },
    'creations',
  );
});

it('deletes', async () => {
  const uris = [
    ...[
      'accessions/1',
      'archival_objects/1',
      'archival_objects/2',
      'digital_objects/1',
      'resources/1',
      'top_containers/1',
      'events/5',
      'classifications/1',
    ].map((path) => `${R}/${path}`),
    ...[
      '/subjects/1',
      '/agents/people/2',
      '/agents/people/1',
      '/agents/families/1',
      '/agents/software/1',
      '/locations/1',
      '/container_profiles/1',
      '/location_profiles/1',
      '/terms/1',
    ],
  ];
  await keepChanges(
    {
      ...Object.fromEntries(uris.map((uri) => [uri, remove(uri)])),
      'a resource of which no assessment tells': async (tx) => [
        await remove(`${R}/assessments/3`)(tx),
        await remove(`${R}/resources/1`)(tx),
      ],
      'an old version': remove(`${R}/accessions/2`, 3),
      'of this version': remove(`${R}/accessions/2`, 0),
      'what is not there': remove(`${R}/accessions/9`),
    },
    'deletions',
  );
});

it('hides, shows and publishes', async () => {
  const suppress =
    (uri: string, suppressed: boolean): Work =>
    (tx) => {
      const { kind, id } = addressOf(uri);
      return suppressRecord(tx, { kind: kindNamed(kind), id, repoId, suppressed, actor });
    };
  const publish =
    (uri: string, isPublic: boolean): Work =>
    (tx) => {
      const { kind, id } = addressOf(uri);
      return publishRecord(tx, { kind: kindNamed(kind), id, repoId, publish: isPublic, seesSuppressed: true, actor });
    };
  await keepChanges(
    {
      'a resource hidden': suppress(`${R}/resources/1`, true),
      'a node hidden': suppress(`${R}/archival_objects/2`, true),
      'an accession hidden': suppress(`${R}/accessions/1`, true),
      'an accession shown that is shown': suppress(`${R}/accessions/1`, false),
      'a resource unpublished': publish(`${R}/resources/1`, false),
      'a resource published': publish(`${R}/resources/1`, true),
      'a node unpublished': publish(`${R}/archival_objects/1`, false),
      'a digital object published': publish(`${R}/digital_objects/1`, true),
    },
    'visibility',
  );
});

it('merges, and undoes', async () => {
  const merge =
    (what: MergeWhat, kept: string, gone: readonly string[], isUndone = false): Work =>
    async (tx) => {
      const { repoId: where } = addressOf(kept);
      const enumerations = await EnumerationCache.load(tx);
      const records = toMergeRecords(what, kept, gone, where);
      const moved = await mergeRecords(
        tx,
        { id: 700, what, records, actor, agentUri: null, selections: null },
        { at: '2026-01-01T00:00:00Z', generatedValues: testContext().generatedValues, enumerations },
      );
      return isUndone ? [moved, await undoMerge(tx, 700, actor)] : moved;
    };
  await keepChanges(
    {
      subjects: merge('subject', '/subjects/1', ['/subjects/2']),
      'subjects, undone': merge('subject', '/subjects/1', ['/subjects/2'], true),
      agents: merge('agent', '/agents/people/2', ['/agents/families/1']),
      'agents, undone': merge(
        'agent',
        '/agents/people/2',
        ['/agents/families/1', '/agents/corporate_entities/1'],
        true,
      ),
      containers: merge('top_container', `${R}/top_containers/2`, [`${R}/top_containers/1`]),
      'containers, undone': merge('top_container', `${R}/top_containers/2`, [`${R}/top_containers/1`], true),
      'what is not there': merge('subject', '/subjects/1', ['/subjects/9']),
    },
    'merges',
  );
});

it('renames values, and revises texts', async () => {
  const rename =
    (list: string, from: string, to: string): Work =>
    async (tx) => [
      await isInUse(tx, list, from),
      await renameUses(tx, { list, from, to, actor }),
      await isInUse(tx, list, from),
    ];
  const revise =
    (
      kind: string,
      change: JsonObject,
      how: { readonly keepsVersion?: boolean; readonly areNew?: boolean } = {},
      slugs = namingOff.slugs,
    ): Work =>
    async (tx) => {
      const declared = kindNamed(kind);
      const stored = await lockStored(tx, declared, [2, 1], repoId);
      const all = stored.map(({ id, body }) => ({
        id,
        old: JSON.parse(body),
        body: { ...JSON.parse(body), ...change },
      }));
      const generatedValues = { ...testContext().generatedValues, naming: { ...namingOff, slugs } };
      return reviseMany(tx, declared, all, { repoId, actor, generatedValues, ...how });
    };
  await keepChanges(
    {
      'labels of dates': rename('date_label', 'creation', 'made'),
      'roles of agents': rename('linked_agent_role', 'creator', 'maker'),
      relators: rename('linked_agent_archival_record_relators', 'aut', 'writer'),
      'sources of subjects': rename('subject_source', 'lcsh', 'congress'),
      'relators of agents that are related': rename(
        'agent_relationship_associative_relator',
        'is_associative_with',
        'goes_with',
      ),
      'what nobody uses': rename('date_label', 'no such value', 'made'),
      'titles of nodes': revise('archival_object', { title: 'Revised' }),
      'titles of nodes, with slugs': revise(
        'archival_object',
        { title: 'Revised' },
        {},
        { ...namingOff.slugs, from: 'title' },
      ),
      'levels of nodes, by no edit': revise('archival_object', { level: 'item' }, { keepsVersion: true }),
      'titles of new nodes': revise('archival_object', { title: 'Revised' }, { areNew: true }),
      'titles as they are': revise('archival_object', {}),
      'refs of nodes, of which no two are the same': revise('archival_object', { ref_id: 'one' }),
    },
    'revisions',
  );
});

it('finds terms, or makes them', async () => {
  const term = (text: string, more: JsonObject = {}): JsonObject => ({
    jsonmodel_type: 'term',
    term: text,
    term_type: 'topical',
    vocabulary: '/vocabularies/1',
    ...more,
  });
  const ensure =
    (...bodies: readonly JsonObject[]): Work =>
    (tx) =>
      ensureTerms(tx, bodies, actor);
  await keepChanges(
    {
      'those there are and new ones, each once': ensure(
        { title: 'a', terms: [term('Breakwaters'), '/terms/1', term('Piers')] },
        { title: 'b', terms: [term('Piers'), term('Piers', { term_type: 'geographic' })] },
        {
          title: 'c',
          linked_agents: [
            { ref: '/agents/people/1', terms: [term('Piers')] },
            { ref: '/agents/people/2', terms: [] },
            { ref: '/agents/people/2' },
          ],
        },
        { title: 'd', terms: [] },
      ),
      none: ensure({ title: 'a' }),
      'a term that is not there': ensure({ terms: ['/terms/99'] }),
      'an address of no term': ensure({ terms: ['/subjects/1'] }),
      'a vocabulary that is not there': ensure({ terms: [term('Piers', { vocabulary: '/vocabularies/9' })] }),
    },
    'terms',
  );
});

it('moves records to another repository', async () => {
  // Without what the accession shares with the resource.
  const transfer =
    (uri: string, isShared = true): Work =>
    async (tx) => {
      if (!isShared) await save(`${R}/accessions/1`, { instances: [] })(tx);
      const { kind, id } = addressOf(uri);
      const prepared = prepare(kindNamed('repository'), { repo_code: 'QUAY', name: 'Quay' }, testContext());
      const { id: to } = await createRecord(tx, kindNamed('repository'), prepared, contextOf(null));
      const agent = JSON.stringify({ ref: '/agents/corporate_entities/2' });
      await tx.run(
        sql`UPDATE record SET body = with_property((body::jsonb || '{"agent_representation": 0}')::json, 'agent_representation', ${agent}::json) WHERE kind = 'repository' AND id = ${to}`,
      );
      return transferRecord(
        tx,
        kindNamed(kind),
        id,
        { from: repoId, to, actor },
        { at: '2026-01-01T00:00:00Z', generatedValues: testContext().generatedValues },
      );
    };
  await keepChanges(
    {
      'an accession': transfer(`${R}/accessions/1`),
      'an accession that shares nothing': transfer(`${R}/accessions/1`, false),
      'a resource that shares nothing': transfer(`${R}/resources/1`, false),
      'a resource': transfer(`${R}/resources/1`),
      'a digital object': transfer(`${R}/digital_objects/1`),
    },
    'transfers',
  );
});

it('forgets what records were', async () => {
  await keepChanges(
    {
      'of one that was changed twice': async (tx) => {
        await save(`${R}/accessions/2`, { title: 'One' })(tx);
        await save(`${R}/accessions/2`, { title: 'Two' }, 1)(tx);
        return purgeHistory(tx, kindNamed('accession'), 2, repoId);
      },
      'of one that is gone': async (tx) => {
        await remove(`${R}/accessions/2`)(tx);
        return purgeHistory(tx, kindNamed('accession'), 2, repoId);
      },
      'of one that never was': (tx) => purgeHistory(tx, kindNamed('accession'), 99, repoId),
    },
    'purges',
  );
});

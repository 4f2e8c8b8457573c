// What harvesters are told of the harbour board's records, which of them hang on which others, and what trees and merges of them show. Read beside
// the contract (behaviour-oai 2 and 3, behaviour-trees-and-jobs 1) before it was kept.
import { beforeAll, expect, it } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import { toMergeRecords } from '#domain/merges/merges.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import type { Transaction } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { previewMerge } from '#store/merges/preview.ts';
import { deferHanging, readChangedHeadings, readHanging } from '#store/oai/dependents.ts';
import { ensureOaiItems, workOffOai } from '#store/oai/follow.ts';
import { readOaiItem, readOaiPage, readOaiRange, readRepositoryIds } from '#store/oai/pages.ts';
import { readOaiRecords } from '#store/oai/records.ts';
import { readOpenRepositories } from '#store/oai/states.ts';
import type { RecordKey } from '#store/records/record-key.ts';
import { treeNode, treeNodeFromRoot, treeRoot, treeWaypoint } from '#store/trees/answers.ts';
import { modelsInGraph, nestedTree, orderedRecords, smallTree, treeContainers } from '#store/trees/whole.ts';
import { changedRows } from '#test/support/changed-rows.ts';
import { expectKept, keptText } from '#test/support/kept.ts';
import { loadHarbour } from '#test/support/loaded-harbour.ts';

const database = await loadHarbour();
const { reader } = database;
const repoId = 2;

beforeAll(async () => {
  // By the fixture only levels are harvested that no record has.
  expect(await readOpenRepositories(reader)).toEqual([{ id: repoId, levels: '' }]);
  await database.transaction((tx) =>
    tx.run(
      sql`UPDATE record SET body = with_property(body, 'oai_sets_available', '"[]"') WHERE kind = 'repository' AND id = ${repoId}`,
    ),
  );
  expect([await ensureOaiItems(database), await ensureOaiItems(database)]).toEqual([true, false]);
  while (await workOffOai(database)) continue;
});

const key = (kind: string, id: number): RecordKey => ({ kind, id });

it('tells harvesters of what is published, by repository, level and sponsor, page by page', async () => {
  const range = await readOaiRange(reader, { from: null, until: null });
  const told = async (kinds: readonly string[], selection: object = {}): Promise<readonly string[]> => {
    const found: string[] = [];
    for (let rest: typeof range | null = range; rest !== null;) {
      const page = await readOaiPage(reader, rest, { kinds, selection, limit: 1 });
      found.push(
        ...page.items.map(({ kind, id, deleted, level }) => `${kind} ${id} ${level}${deleted ? ' deleted' : ''}`),
      );
      rest = page.rest;
    }
    return found;
  };
  const both = ['resource', 'archival_object'];
  const [resource, series, file] = ['resource 1 otherlevel', 'archival_object 1 series', 'archival_object 2 file'];
  expect((await told(both)).toSorted()).toEqual([series, file, resource].toSorted());
  expect([await told(['resource']), (await told(['archival_object'])).toSorted()]).toEqual([
    [resource],
    [series, file],
  ]);
  expect([await told(both, { level: 'file' }), await told(['archival_object'], { level: 'none' })]).toEqual([
    [file],
    [],
  ]);
  expect([(await told(both, { repositories: [2] })).length, await told(both, { repositories: [3] })]).toEqual([3, []]);
  expect([
    (await told(both, { sponsors: ['Lighthouse levy', 'Lighthouse levy'] })).toSorted(),
    await told(both, { sponsors: ['Nobody'] }),
  ]).toEqual([[series, file, resource].toSorted(), []]);
  expect([await readRepositoryIds(reader, ['PEHB', 'QUAY']), await readRepositoryIds(reader, [])]).toEqual([[2], []]);
  const later = new Date(Date.now() + 3_600_000).toISOString();
  expect(await readOaiRange(reader, { from: later, until: null })).toEqual({ after: 0, upTo: 0 });
  expect(await readOaiRange(reader, { from: null, until: '2001-01-01T00:00:00Z' })).toEqual({ after: 0, upTo: 0 });
  expect(await readOaiRange(reader, { from: '2001-01-01T00:00:00Z', until: later })).toEqual(range);
});

it('tells of single records, and of none that harvesters were never told of', async () => {
  const item = (kind: string, id: number, repository = repoId) => readOaiItem(reader, { kind, id, repoId: repository });
  expect(await item('archival_object', 2)).toMatchObject({
    kind: 'archival_object',
    id: 2,
    deleted: false,
    level: 'file',
  });
  expect([await item('archival_object', 9), await item('resource', 1, 3)]).toEqual([null, null]);
  const records = await readOaiRecords(reader, [
    { kind: 'resource', id: 1, repoId },
    { kind: 'archival_object', id: 2, repoId },
    { kind: 'archival_object', id: 9, repoId },
  ]);
  expect([...records.keys()].toSorted()).toEqual(['2/archival_object/2', '2/resource/1']);
  const [resolved] = (records.get('2/resource/1')?.['linked_agents'] ?? []) as readonly JsonObject[];
  expect(resolved).toMatchObject({
    ref: '/agents/people/1',
    _resolved: { uri: '/agents/people/1', agent_contacts: [] },
  });
  expect(await readOpenRepositories(reader)).toEqual([{ id: repoId, levels: null }]);
});

it('knows which records hang on others, unless they are more than asked for', async () => {
  const hanging = (keys: readonly RecordKey[], limit = 10) =>
    database.transaction((tx) => readHanging(tx, keys, limit));
  const sorted = async (keys: readonly RecordKey[]): Promise<unknown> => {
    const found = await hanging(keys);
    return found && [found.resource.toSorted(), found.archival_object.toSorted()];
  };
  expect(await sorted([key('resource', 1)])).toEqual([[], [1, 2]]);
  expect(await sorted([key('archival_object', 1)])).toEqual([[], [2]]);
  expect(await sorted([key('archival_object', 2)])).toEqual([[], []]);
  expect(await sorted([key('subject', 1)])).toEqual([[1], []]);
  expect(await sorted([key('subject', 2)])).toEqual([[1], [2]]);
  expect(await sorted([key('agent_person', 1)])).toEqual([[1], [2]]);
  expect(await sorted([key('agent_software', 1)])).toEqual([[], []]);
  // An agent of the number of the repository is not the repository.
  expect(await sorted([key('agent_person', 2)])).toEqual([[1], [2]]);
  expect(await sorted([key('agent_corporate_entity', 2)])).toEqual([[], []]);
  expect(await sorted([key('repository', 2)])).toEqual([[1], [1, 2]]);
  expect(await sorted([key('repository', 9)])).toEqual([[], []]);
  expect(await sorted([])).toEqual([[], []]);
  expect(await hanging([key('repository', 2)], 3)).not.toBeNull();
  expect(await hanging([key('repository', 2)], 2)).toBeNull();
});

it('follows headings that are shown otherwise, and no others', async () => {
  const headings = [key('subject', 1), key('agent_person', 1), key('agent_person', 1), key('accession', 1)];
  const undone = new Error('taken back');
  const changed = async (change: (tx: Transaction) => Promise<unknown>): Promise<unknown> => {
    let found: unknown;
    await database
      .transaction(async (tx) => {
        await change(tx);
        found = await readChangedHeadings(tx, headings);
        expect(await readChangedHeadings(tx, headings), 'told once').toEqual([]);
        throw undone;
      })
      .catch((error: unknown) => expect(error).toBe(undone));
    return found;
  };
  expect(await changed(async () => undefined)).toEqual([]);
  expect(
    await changed((tx) =>
      tx.run(
        sql`UPDATE record SET label = 'Piers', body = with_property(body, 'title', '"Piers"') WHERE kind = 'subject' AND id = 1`,
      ),
    ),
  ).toEqual([key('subject', 1)]);
  expect(
    await changed((tx) => tx.run(sql`UPDATE record SET lock_version = 7 WHERE kind = 'subject' AND id = 1`)),
  ).toEqual([]);
  expect(await database.transaction((tx) => readChangedHeadings(tx, []))).toEqual([]);
});

it('puts down what hangs on records, and nothing for none', async () => {
  const put = (keys: readonly RecordKey[]): Promise<unknown> => changedRows(database, (tx) => deferHanging(tx, keys));
  expect(await put([])).toEqual({});
  expect(await put([key('subject', 1)])).toMatchObject({ oai_fan: { come: [{ kind: 'subject', id: 1 }] } });
});

const textOf = async (pieces: AsyncIterable<string> | Iterable<string>): Promise<unknown> => {
  let text = '';
  for await (const piece of pieces) text += piece;
  return JSON.parse(text);
};

it('shows the tree of a collection, in steps and as a whole', async () => {
  const view = {
    repoId,
    nodeKind: kindNamed('archival_object'),
    rootKind: kindNamed('resource'),
    release: 'R-B',
    publishedOnly: false,
    seesSuppressed: true,
  } as const;
  const whole = { database, view, rootId: 1 };
  await expectKept(
    keptText(
      {
        root: await treeRoot(reader, view, 1),
        'root in release R-A': await treeRoot(reader, { ...view, release: 'R-A' }, 1),
        waypoint: await treeWaypoint(reader, view, 1, 1, 0),
        'waypoint behind the end': await treeWaypoint(reader, view, 1, 1, 1),
        node: await treeNode(reader, view, 1, 2),
        'way from the root': await textOf(await treeNodeFromRoot(reader, view, 1, [1, 2])),
        nested: await textOf(await nestedTree(whole)),
        small: await textOf(await smallTree(whole)),
        ordered: await textOf(await orderedRecords(whole)),
        containers: await textOf(await treeContainers(whole)),
        models: await modelsInGraph(reader, view, 1, null),
        'models of a node': await modelsInGraph(reader, view, 1, 2),
      },
      3,
    ),
    'oai/trees.json',
  );
  const refused = [
    treeRoot(reader, view, 9),
    treeNode(reader, view, 1, 9),
    treeNode(reader, view, 9, 2),
    nestedTree({ ...whole, rootId: 9 }),
  ];
  const codes = await Promise.all(
    refused.map((one) =>
      one.then(
        () => 'found',
        (error: unknown) => error,
      ),
    ),
  );
  expect(codes).toMatchObject(
    ['Resource', 'Archival Object', 'Archival Object', 'Resource'].map(() => ({ code: 'not_found' })),
  );
  await expect(treeWaypoint(reader, view, 1, null, -1)).rejects.toMatchObject({
    code: 'bad_parameter',
    error: { offset: ['Must not be negative'] },
  });
});

it('previews merges by what leads to those that go', async () => {
  const preview = (
    what: 'subject' | 'agent' | 'top_container',
    kept: string,
    gone: readonly string[],
  ): Promise<unknown> =>
    previewMerge(reader, what, toMergeRecords(what, kept, gone, what === 'top_container' ? repoId : null));
  await expectKept(
    keptText(
      {
        subjects: await preview('subject', '/subjects/1', ['/subjects/2']),
        agents: await preview('agent', '/agents/people/2', ['/agents/families/1']),
        containers: await preview('top_container', '/repositories/2/top_containers/2', [
          '/repositories/2/top_containers/1',
        ]),
        none: await preview('subject', '/subjects/1', []),
      },
      3,
    ),
    'oai/previews.json',
  );
});

it('finds nothing wrong with records that were loaded', async () => {
  const steps: string[] = [];
  expect(await checkDatabase(database, (says) => void steps.push(says))).toEqual([]);
  expect(steps.length).toBeGreaterThan(5);
});

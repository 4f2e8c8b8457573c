// What others write while records are deleted, begun at the statements of the deletion in turn: nobody waits in a circle, and no link is left behind or lost.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkDatabase } from '#store/check/check-database.ts';
import { deleteNamed, readNamed } from '#store/records/deleting/batch-delete.ts';
import { publishRecord } from '#store/records/visibility/publish.ts';
import type { Transaction } from '#store/connection/database.ts';
import { atEachStatement, beginAt, besideEachOther } from '#test/support/begin-at.ts';
import { addressOf } from '#test/support/make/linked-records.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, personBody, resourceBody } from '#test/support/records.ts';

let store: RecordStore;
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(async () => {
  expect(await checkDatabase(store.database)).toEqual([]);
  await store[Symbol.asyncDispose]();
});

let made = 0;
/** Something to delete, with what stands around it. */
type World = { readonly [name: string]: string };
/** An agent with a relation, two accessions that are related, a resource with a component in a container, and an event that speaks of them. */
async function world(): Promise<World> {
  const n = (made += 1);
  return store.database.transaction(async (tx) => {
    const make = async (kind: string, body: object): Promise<string> =>
      (await store.createIn(tx, kind, { ...body })).uri;
    const agent = await make('agent_person', personBody(`Person ${n}`));
    const partner = await make('agent_person', {
      ...personBody(`Partner ${n}`),
      related_agents: [
        { jsonmodel_type: 'agent_relationship_associative', relator: 'is_associative_with', ref: agent },
      ],
    });
    const links = { linked_agents: [{ ref: agent, role: 'creator' }] };
    const container = await make('top_container', { indicator: `${n}`, type: 'box' });
    const instances = [{ instance_type: 'text', sub_container: { top_container: { ref: container } } }];
    const other = await make('accession', { id_0: `O${n}`, accession_date: '2020-01-01' });
    const accession = await make('accession', {
      id_0: `A${n}`,
      accession_date: '2020-01-01',
      ...links,
      related_accessions: [
        {
          jsonmodel_type: 'accession_parts_relationship',
          relator: 'forms_part_of',
          relator_type: 'part',
          ref: other,
        },
      ],
    });
    const resource = await make('resource', resourceBody(`R${n}`, links));
    const series = await make('archival_object', { title: 's', level: 'series', resource: { ref: resource } });
    const file = await make('archival_object', {
      title: 'f',
      level: 'file',
      resource: { ref: resource },
      parent: { ref: series },
      instances,
      accession_links: [{ ref: accession }],
    });
    const event = await make('event', {
      event_type: 'accession',
      date: { date_type: 'single', label: 'event', begin: '2000' },
      linked_agents: [{ ref: agent, role: 'validator' }],
      linked_records: [accession, file].map((ref) => ({ ref, role: 'source' })),
    });
    return { agent, partner, container, other, accession, resource, series, file, event };
  });
}

const remove = async (tx: Transaction, uris: readonly string[]): Promise<void> => {
  const named = uris.flatMap((uri) => readNamed(uri) ?? []);
  const [refused] = await deleteNamed(tx, named, 'tester');
  if (refused !== undefined) throw refused.failure;
};

/** What is done in a transaction of its own, at the first try; or it is refused, as what it needs is gone. */
async function atFirstTry(work: (tx: Transaction) => Promise<unknown>): Promise<void> {
  let tries = 0;
  const doing = store.database.transaction((tx) => {
    tries += 1;
    return work(tx);
  });
  const code = await doing.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(tries).toBe(1);
  if (code !== undefined) expect(['unknown_reference', 'not_found']).toContain(Object(code).code);
}

// A deletion of one record takes some twenty statements.
const ofFew = { every: 4, few: 14 };

test.each([
  ['the agent', 'agent', 'a record that links to it', 'accession'],
  ['the agent', 'agent', 'the other end of its relation', 'partner'],
  ['the accession', 'accession', 'an event that speaks of it', 'event'],
  ['the accession', 'accession', 'a component that it is related to', 'file'],
  ['the accession', 'accession', 'the accession that it is part of', 'other'],
  ['the series', 'series', 'a record that links to what is below it', 'event'],
  ['the series', 'series', 'the other end of a relation of what is below it', 'accession'],
  ['the series', 'series', 'the container of what is below it', 'container'],
  ['the resource', 'resource', 'the container of what is below it', 'container'],
])('%s (%s) is deleted beside a save of %s (%s)', async (_, gone, __, saved) => {
  await atEachStatement(async (nth) => {
    const all = await world();
    const [target = '', uri = ''] = [all[gone], all[saved]];
    const body = await store.read(uri);
    const outcome = await beginAt(
      store.database,
      nth,
      (tx) => remove(tx, [target]),
      () => atFirstTry((tx) => store.updateIn(tx, uri, body)),
    );
    expect(JSON.stringify(await store.read(uri))).not.toContain(`"${target}"`);
    return outcome;
  }, ofFew);
});

test.each([
  ['both ends of a relation', ['accession'], ['other']],
  ['a container and what is in it', ['file'], ['container']],
  ['a component and the resource that it is in', ['series'], ['resource']],
  ['an agent and a record that links to it, with others', ['accession', 'agent'], ['event', 'partner']],
])('%s are deleted at once', async (_, ones, others) => {
  await atEachStatement(async (nth) => {
    const all = await world();
    const uris = (names: readonly string[]): readonly string[] => names.map((name) => all[name] ?? '');
    const outcome = await beginAt(
      store.database,
      nth,
      // Gone with the others, where these were faster.
      (tx) => remove(tx, uris(ones)).catch((error: unknown) => expect(error).toMatchObject({ code: 'not_found' })),
      () => atFirstTry((tx) => remove(tx, uris(others))),
    );
    return outcome;
  }, ofFew);
});

test('an agent is deleted beside a new one that is related to it, which is refused or loses the relation', async () => {
  await atEachStatement(
    async (nth) => {
      const { agent = '' } = await world();
      const body = {
        ...personBody(`New ${(made += 1)}`),
        related_agents: [
          { jsonmodel_type: 'agent_relationship_associative', relator: 'is_associative_with', ref: agent },
        ],
      };
      return beginAt(
        store.database,
        nth,
        (tx) => remove(tx, [agent]),
        () => atFirstTry((tx) => store.createIn(tx, 'agent_person', body)),
      );
    },
    { every: 1, few: 14 },
  );
});

test.each(['series', 'resource'])(
  'the container of what goes with a %s is saved, and gets new content, until the end is near',
  async (gone) => {
    for (const isContent of [false, true]) {
      const befores: boolean[] = [];
      await atEachStatement(async (nth) => {
        const { [gone]: target = '', container = '', other = '' } = await world();
        const body = await store.read(isContent ? other : container);
        const instances = [{ instance_type: 'text', sub_container: { top_container: { ref: container } } }];
        const outcome = await beginAt(
          store.database,
          nth,
          (tx) => remove(tx, [target]),
          () =>
            atFirstTry((tx) =>
              isContent
                ? store.updateIn(tx, other, { ...body, instances })
                : store.updateIn(tx, container, { ...body, barcode: `B${(made += 1)}` }),
            ),
        );
        if (outcome.isReached) befores.push(outcome.isDoneBefore);
        return outcome;
      }, ofFew);
      // Behind the end of a job come the containers, roots and trees.
      expect(befores.slice(0, Math.ceil(befores.length * 0.6))).not.toContain(false);
    }
  },
);

test.each(['series', 'resource'])(
  'a component in the container of what goes with a %s is put below it, and goes as well or is refused',
  async (gone) => {
    await atEachStatement(async (nth) => {
      const { [gone]: target = '', resource = '', series = '', container = '' } = await world();
      const body = {
        title: 'late',
        level: 'file',
        resource: { ref: resource },
        parent: { ref: series },
        instances: [{ instance_type: 'text', sub_container: { top_container: { ref: container } } }],
      };
      const adding = async (): Promise<void> => {
        // Who has the tree and meets a list that is being deleted gives up, and is told at the next try that it is gone.
        const error = await store.database
          .transaction((tx) => store.createIn(tx, 'archival_object', body))
          .catch((reason: unknown) => reason);
        if (error instanceof Error)
          expect(['unknown_reference', 'not_found', 'bad_parameter']).toContain(Object(error).code);
      };
      return beginAt(store.database, nth, (tx) => remove(tx, [target]), adding);
    }, ofFew);
  },
);

test.each(['resource', 'accession'])(
  'what is related to a root, by the %s, and its container, are taken in the order of who publishes below that root',
  async (writer) => {
    await besideEachOther(store.database, async () => {
      const n = (made += 1);
      const inBox = {
        instances: [
          {
            instance_type: 'text',
            sub_container: {
              top_container: { ref: (await store.create('top_container', { indicator: `L${n}`, type: 'box' })).uri },
            },
          },
        ],
      };
      const makeAccession = (more = {}) =>
        store.create('accession', { id_0: `L${n}`, accession_date: '2020-01-01', ...inBox, ...more });
      const makeResource = (more = {}) => store.create('resource', resourceBody(`L${n}`, more));
      let accession = writer === 'resource' ? await makeAccession() : null;
      const resource = await makeResource(accession === null ? {} : { related_accessions: [{ ref: accession.uri }] });
      accession ??= await makeAccession({ related_resources: [{ ref: resource.uri }] });
      const { uri } = accession;
      const file = await store.create('archival_object', {
        title: 'f',
        level: 'file',
        resource: { ref: resource.uri },
        ...inBox,
      });
      return {
        one: (tx) => remove(tx, [uri]),
        other: (tx) =>
          publishRecord(tx, { ...addressOf(file.uri), publish: true, seesSuppressed: true, actor: 'tester' }),
      };
    });
  },
);

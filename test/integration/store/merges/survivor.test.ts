// Detailed merges of agents, as changes of the database as a whole: what of the agent that goes comes into the one that stays, with keys, slug and
// label. Read beside the contract (trees-and-jobs 4.5) before it was kept.
import { it } from 'vitest';
import { kindNamed, uriOf } from '#domain/addresses.ts';
import { prepare } from '#domain/checking/prepare.ts';
import type { JsonObject } from '#domain/json.ts';
import { toMergeRecords } from '#domain/merges/merges.ts';
import type { Transaction } from '#store/connection/database.ts';
import { EnumerationCache } from '#store/enumerations/lists.ts';
import { mergeRecords } from '#store/merges/merge.ts';
import { undoMerge } from '#store/merges/undo.ts';
import { createRecord } from '#store/records/writing/write.ts';
import { harbourRecords } from '#test/support/harbour.ts';
import type { Work } from '#test/support/kept-changes.ts';
import { expectChanges } from '#test/support/kept-changes.ts';
import { loadHarbour } from '#test/support/loaded-harbour.ts';
import { testContext } from '#test/support/make/prepare-context.ts';

const database = await loadHarbour();
const enumerations = await database.transaction((tx) => EnumerationCache.load(tx));
const actor = 'jane';
const { generatedValues } = testContext();

async function mergeDetailed(tx: Transaction, kept: string, gone: string, selections: JsonObject): Promise<number> {
  const records = toMergeRecords('agent_detail', kept, [gone], null);
  return mergeRecords(
    tx,
    { id: 700, what: 'agent_detail', records, actor, agentUri: null, selections },
    { at: '2026-01-01T00:00:00Z', generatedValues, enumerations },
  );
}

async function made(tx: Transaction, kind: string, body: JsonObject): Promise<string> {
  const prepared = prepare(kindNamed(kind), body, testContext());
  const { id } = await createRecord(tx, kindNamed(kind), prepared, { actor, repoId: null, generatedValues });
  return uriOf(kindNamed(kind), id, null);
}

const named = { source: 'local', sort_name_auto_generate: true };
const board = harbourRecords.find(({ uri }) => uri === '/agents/corporate_entities/1')?.sent ?? {};

/** The office, with one of the places of the board, goes into the guild. */
const intoGuild =
  (selections: JsonObject): Work =>
  async (tx) => {
    const office = await made(tx, 'agent_corporate_entity', {
      names: [{ ...named, primary_name: 'Dock Office', authority_id: 'auth-d', dates: '1869' }],
      agent_places: board['agent_places'] ?? [],
    });
    return mergeDetailed(tx, '/agents/corporate_entities/2', office, selections);
  };

const person = (tx: Transaction, primary: string, rest: string): Promise<string> =>
  made(tx, 'agent_person', {
    names: [{ ...named, primary_name: primary, rest_of_name: rest, name_order: 'inverted' }],
  });

it('takes what was chosen', async () => {
  await expectChanges(
    database,
    {
      'a whole name, with what it is known by': intoGuild({ names: [{ replace: 'REPLACE', position: 0 }] }),
      'one field of a name': intoGuild({ names: [{ authority_id: 'REPLACE', position: 0 }] }),
      'a name beside its own, and a place': intoGuild({
        names: [{ append: 'REPLACE', position: 0 }],
        agent_places: [{ append: 'REPLACE', position: 0 }],
      }),
      nothing: intoGuild({}),
      'what is not there': intoGuild({ agent_genders: [{ append: 'REPLACE', position: 0 }] }),
      'a field of one, by which it is the same as another': async (tx) => {
        await person(tx, 'Rae', 'Ishbel');
        const [kept, gone] = [await person(tx, 'Rae', 'Calum'), await person(tx, 'Grant', 'Ishbel')];
        return mergeDetailed(tx, kept, gone, { names: [{ rest_of_name: 'REPLACE', position: 0 }] });
      },
      'a whole name, and back': async (tx) => [
        await intoGuild({ names: [{ replace: 'REPLACE', position: 0 }] })(tx),
        await undoMerge(tx, 700, actor),
      ],
    },
    'detailed-merges',
  );
});

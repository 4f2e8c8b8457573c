// A block of records that get another value: what links tell of it changes with them. And which values are worth steps.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { parseUri } from '#domain/addresses.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { hasManyUses, renameBlock } from '#store/enumerations/rename-block.ts';
import { everywhere } from '#store/enumerations/uses.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, personBody } from '#test/support/records.ts';

let store: RecordStore;
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

const RoleRow = z.strictObject({ role: column.maybeText });
const roles = 'linked_agent_event_roles';

test('roles of links become the new text with the bodies that tell them, in the block alone', async () => {
  const { uri: agent } = await store.create('agent_person', personBody('Somebody'));
  const { uri: accession } = await store.create('accession', { id_0: 'A', accession_date: '2020-01-01' });
  const event = async (): Promise<string> =>
    (
      await store.create('event', {
        event_type: 'accession',
        date: { label: 'event', date_type: 'single', begin: '2020-01-01' },
        linked_agents: [{ ref: agent, role: 'authorizer' }],
        linked_records: [{ ref: accession, role: 'source' }],
      })
    ).uri;
  const uris = [await event(), await event()];
  const change = { list: roles, from: 'authorizer', to: 'recipient', actor: 'tester' };
  const place = everywhere(roles).find(({ use }) => use.kind.name === 'event');
  if (place === undefined) throw new Error('events have no agents');
  const block = await store.database.transaction((tx) => renameBlock(tx, change, place, 0, 1));
  expect(block).toMatchObject({ renamed: 1 });
  const told = await Promise.all(uris.map(async (uri) => (await store.read(uri))['linked_agents']));
  expect(told).toMatchObject([[{ role: 'recipient' }], [{ role: 'authorizer' }]]);
  const links = await store.database.reader.any(
    sql.type(
      RoleRow,
    )`SELECT role FROM link WHERE source_kind = 'event' AND property = 'linked_agents' AND target_id = ${parseUri(agent)?.id ?? 0} ORDER BY source_id`,
  );
  expect(links.map(({ role }) => role)).toEqual(['recipient', 'authorizer']);
  expect((await checkDatabase(store.database)).filter(({ count }) => count > 0)).toEqual([]);
});

test('a value is worth steps where more records use it than a block has, of those kinds whose unique keys it does not hold', async () => {
  for (const name of ['1', '2', '3'])
    await store.create('accession', {
      id_0: name,
      accession_date: '2020-01-01',
      title: 'Has "extent_type":"reels" in its title',
      extents: [{ portion: 'whole', number: '1', extent_type: name === '3' ? 'cassettes' : 'reels' }],
    });
  const isMuch = (list: string, from: string, atOnce: number): Promise<boolean> =>
    store.database.transaction((tx) => hasManyUses(tx, { list, from, to: 'another', actor: null }, atOnce));
  expect([await isMuch('extent_extent_type', 'reels', 1), await isMuch('extent_extent_type', 'reels', 2)]).toEqual([
    true,
    false,
  ]);
  for (const term of ['One', 'Two', 'Three'])
    await store.create('subject', {
      source: 'local',
      vocabulary: '/vocabularies/1',
      terms: [{ term, term_type: 'topical', vocabulary: '/vocabularies/1' }],
    });
  expect(await isMuch('subject_source', 'local', 1)).toBe(false);
});

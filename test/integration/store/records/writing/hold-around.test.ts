// What is held when records go: they, who links to them, other sides of relations and containers, against writers and not against links.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseUri } from '#domain/addresses.ts';
import { sql } from '#store/connection/sql.ts';
import { RecordKey, keyTable } from '#store/records/record-key.ts';
import { holdAround } from '#store/records/writing/hold-around.ts';
import { outside } from '#test/support/outside.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, personBody } from '#test/support/records.ts';

let store: RecordStore;
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(async () => store[Symbol.asyncDispose]());

test.each(['with them', 'last of all'] as const)(
  'holds what is written when a record goes, containers %s, and lets others link to it',
  async (containers) => {
    const agent = await store.create('agent_person', personBody(`Somebody ${containers}`));
    const container = await store.create('top_container', { indicator: containers, type: 'box' });
    const whole = await store.create('accession', { id_0: `W ${containers}`, accession_date: '2020-01-01' });
    const part = { jsonmodel_type: 'accession_parts_relationship', relator: 'forms_part_of', relator_type: 'part' };
    const going = await store.create('accession', {
      id_0: `G ${containers}`,
      accession_date: '2020-01-01',
      linked_agents: [{ ref: agent.uri, role: 'creator' }],
      instances: [{ instance_type: 'text', sub_container: { top_container: { ref: container.uri } } }],
      related_accessions: [{ ...part, ref: whole.uri }],
    });
    const event = await store.create('event', {
      event_type: 'accession',
      date: { date_type: 'single', label: 'event', begin: '2000' },
      linked_agents: [{ ref: agent.uri, role: 'validator' }],
      linked_records: [{ ref: going.uri, role: 'source' }],
    });
    const records = [agent, container, whole, going, event].flatMap(({ uri }) => parseUri(uri) ?? []);
    const made = sql.fragment`FROM record WHERE (kind, id) IN (SELECT u.kind, u.id FROM ${keyTable(records)} AS u (kind, id)) ORDER BY kind, id`;
    await store.database.transaction(async (tx) => {
      await holdAround(tx, sql.fragment`SELECT 'accession'::text AS kind, ${going.id}::int AS id`, containers);
      const [free, linkable] = await outside(() =>
        store.database.transaction(async (other) => [
          await other.any(sql.type(RecordKey)`SELECT kind, id ${made} FOR NO KEY UPDATE SKIP LOCKED`),
          await other.any(sql.type(RecordKey)`SELECT kind, id ${made} FOR KEY SHARE SKIP LOCKED`),
        ]),
      );
      expect(free).toEqual([
        { kind: 'agent_person', id: agent.id },
        ...(containers === 'with them' ? [] : [{ kind: 'top_container', id: container.id }]),
      ]);
      expect(linkable).toEqual([
        { kind: 'accession', id: whole.id },
        { kind: 'accession', id: going.id },
        { kind: 'agent_person', id: agent.id },
        { kind: 'event', id: event.id },
        { kind: 'top_container', id: container.id },
      ]);
    });
  },
);

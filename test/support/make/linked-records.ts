// Records that are linked to each other, made through the store by their shortest bodies: for tests of what is done to them at once.
import { kindNamed, parseUri } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import type { Transaction } from '#store/connection/database.ts';
import { deleteRecord } from '#store/records/deleting/delete.ts';
import type { RecordStore } from '../records.ts';
import { personBody, resourceBody } from '../records.ts';

type Work = (tx: Transaction) => Promise<unknown>;

/** A relation of agents with these. */
export const friends = (...uris: readonly string[]): JsonObject => ({
  related_agents: uris.map((ref) => ({
    jsonmodel_type: 'agent_relationship_associative',
    relator: 'is_associative_with',
    ref,
  })),
});

/** An event that speaks of a record. */
export const eventBody = (record: string, agent: string): JsonObject => ({
  event_type: 'accession',
  date: { date_type: 'single', label: 'event', begin: '2000' },
  linked_agents: [{ ref: agent, role: 'validator' }],
  linked_records: [{ ref: record, role: 'source' }],
});

/** An address of a record that is named by its uri. */
export const addressOf = (uri: string) => {
  const address = parseUri(uri);
  if (address === null) throw new Error(`${uri} is no record uri`);
  return { kind: kindNamed(address.kind), id: address.id, repoId: address.repoId };
};

/** Makes records in a store, with names of their own; and transactions over them. */
export function linkedRecords(store: RecordStore) {
  let made = 0;
  const create = async (kind: string, body: JsonObject): Promise<string> => (await store.create(kind, body)).uri;
  const next = (): string => `${(made += 1)}`;
  return {
    next,
    person: (more: JsonObject = {}) => create('agent_person', personBody(`Person ${next()}`, more)),
    resource: () => create('resource', resourceBody(`R${next()}`)),
    accession: (more: JsonObject = {}) =>
      create('accession', { id_0: `A${next()}`, accession_date: '2020-01-01', ...more }),
    component: (root: string, more: JsonObject = {}) =>
      create('archival_object', { title: `c${next()}`, level: 'file', resource: { ref: root }, ...more }),
    container: () => create('top_container', { indicator: next() }),
    event: (record: string, agent: string) => create('event', eventBody(record, agent)),
    /** A save of a record as it is now, with a change. */
    saving: async (uri: string, change: JsonObject = {}): Promise<Work> => {
      const body = { ...(await store.read(uri)), ...change };
      return (tx) => store.updateIn(tx, uri, body);
    },
    deleting:
      (uri: string): Work =>
      (tx) => {
        const { kind, id, repoId } = addressOf(uri);
        return deleteRecord(tx, kind, id, repoId, 'tester');
      },
  };
}

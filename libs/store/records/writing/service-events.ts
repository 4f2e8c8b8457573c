// Events that the service writes by itself: agents catalogued, custody transferred, components moved (contract 5.3, 5.4, 5.6, 6.1, 6.11).
import { z } from 'zod';
import { kindNamed, parseUri, uriOf } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import type { GeneratedValues } from '#domain/kind.ts';
import { agentSoftware } from '#domain/kinds/agent_software.ts';
import { globalRepoId } from '#domain/access/caller.ts';
import { prepare } from '#domain/checking/prepare.ts';
import type { Enumerations } from '#domain/checking/prepare.ts';
import type { Reader, Transaction } from '../../connection/database.ts';
import { IdRow, column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import type { WriteContext } from './write-context.ts';
import { createRecord } from './write.ts';

type Linked = { readonly ref: string; readonly role: string };

/** An event to write. `at` is its time in ISO form; the roles are values of the controlled lists. */
export type ServiceEvent = {
  readonly type: 'cataloged' | 'custody_transfer' | 'component_transfer';
  readonly at: string;
  readonly repoId: number;
  readonly records: readonly Linked[];
  readonly agents: readonly Linked[];
  readonly outcome?: 'pass';
  readonly outcomeNote?: string;
};

// The values are of lists that the service ships; an installation that has renamed one still gets its event.
const anyValue: Enumerations = { get: () => ({ editable: true, values: [], has: () => true }) };

/** Writes an event and gives its uri. */
export async function writeEvent(
  tx: Transaction,
  event: ServiceEvent,
  actor: string | null,
  generatedValues: GeneratedValues,
): Promise<string> {
  const kind = kindNamed('event');
  const body: JsonObject = {
    event_type: event.type,
    timestamp: event.at,
    ...(event.outcome === undefined ? {} : { outcome: event.outcome }),
    // As long as the property may be: a merge of thousands names the first of them.
    ...(event.outcomeNote === undefined ? {} : { outcome_note: event.outcomeNote.slice(0, 16_384) }),
    linked_agents: event.agents.map(({ ref, role }) => ({ ref, role })),
    linked_records: event.records.map(({ ref, role }) => ({ ref, role })),
  };
  const prepared = prepare(kind, body, {
    operation: 'create',
    enumerations: anyValue,
    generatedValues,
    parseUri,
    acceptTemporary: false,
    createEnumerationValues: false,
  });
  return (await createRecord(tx, kind, prepared, { actor, repoId: event.repoId, generatedValues })).uri;
}

/** The uri of the agent that stands for the service itself, or null in a database that has none. */
async function ownAgentUri(reader: Reader): Promise<string | null> {
  const row = await reader.maybeOne(sql.type(IdRow)`
    SELECT id FROM record WHERE kind = 'agent_software' AND body->>'system_generated' = 'true' ORDER BY id LIMIT 1`);
  return row === null ? null : uriOf(agentSoftware, row.id, null);
}

/** Fails with `access_denied` where an id is that of the service's own agent, which nobody may delete (contract 6.1). */
export async function refuseOwnAgent(reader: Reader, id: number): Promise<void> {
  if ((await ownAgentUri(reader)) === uriOf(agentSoftware, id, null)) throw fail('access_denied', 'Access denied');
}

/** Who did what the caller asked for: the agent of the user, or the service's own where the user has none. */
export async function implementerOf(reader: Reader, agentUri: string | null): Promise<readonly Linked[]> {
  const ref = agentUri ?? (await ownAgentUri(reader));
  return ref === null ? [] : [{ ref, role: 'implementer' }];
}

const AtRow = z.strictObject({ at: column.time });

/**
 * Writes the event that an agent was catalogued, in the global repository: the record is its outcome (contract 6.1). Agents that an import
 * brings have none: a million of them would be a million events that nobody reads.
 */
export async function addCatalogedEvent(
  tx: Transaction,
  uri: string,
  agentUri: string | null,
  { actor, generatedValues }: Pick<WriteContext, 'actor' | 'generatedValues'>,
): Promise<void> {
  const agents = await implementerOf(tx, agentUri);
  if (agents.length === 0) return;
  const { at } = await tx.one(sql.type(AtRow)`SELECT now() AS at`);
  await writeEvent(
    tx,
    { type: 'cataloged', at, repoId: globalRepoId, records: [{ ref: uri, role: 'outcome' }], agents },
    actor,
    generatedValues,
  );
}

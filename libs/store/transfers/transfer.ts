// Moving a record with all that hangs on it, or everything in a repository, to another repository (contract 5.3). One transaction of a
// fixed number of statements, whatever the number of records and links.
import { uriOf } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import { objectOf, textOf } from '#domain/json.ts';
import type { Kind, GeneratedValues } from '#domain/kind.ts';
import { assessment } from '#domain/kinds/assessment.ts';
import { digitalObject } from '#domain/kinds/digital_object.ts';
import { repository } from '#domain/kinds/repository.ts';
import type { Transaction } from '../connection/database.ts';
import { writeEvent } from '../records/writing/service-events.ts';
import { lockRecord } from '../records/writing/write.ts';
import { NumberRow, StoredRow, IdRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { matchAttributes, moveAttributeDefinitions } from '../settings/assessment-definitions.ts';
import { moveFormSettings } from '../settings/form-settings.ts';
import type { Route } from './carry.ts';
import { carry, cutLinks, shareCompanions } from './carry.ts';
import { refuseConflicts } from './conflicts.ts';
import { gatherRecord, gatherRepository } from './moving.ts';

/** When and with which generated values the event of a transfer is written. */
export type EventTime = { readonly at: string; readonly generatedValues: GeneratedValues };

/**
 * Moves a record with its components, digital objects, top containers, events and assessments, and writes the event of it in the target.
 * Gives the number of records that moved. Fails with `not_found`; with `transfer_conflict` naming each record that forbids it; with
 * `bad_parameter` where both repositories are the same one, or neither has an agent that could act in the event.
 */
export async function transferRecord(
  tx: Transaction,
  kind: Kind,
  id: number,
  route: Route,
  time: EventTime,
): Promise<number> {
  refuseSame(route);
  const agents = await agentsOf(tx, route);
  await gatherRecord(tx, kind, id, route.from);
  await lockRecord(tx, kind, id, route.from);
  await refuseConflicts(tx, route.from, route.to, kind.name === digitalObject.name ? id : null);
  await shareCompanions(tx, route);
  await cutLinks(tx, route);
  await carry(tx, route);
  await matchAttributes(
    tx,
    route,
    sql.fragment`SELECT id FROM moving WHERE kind = ${assessment.name} UNION ALL SELECT id FROM copied WHERE kind = ${assessment.name}`,
  );
  const records = [{ ref: uriOf(kind, id, route.to), role: 'transfer' }];
  await writeEvent(
    tx,
    { type: 'custody_transfer', at: time.at, repoId: route.to, records, agents },
    route.actor,
    time.generatedValues,
  );
  return countMoved(tx);
}

/**
 * Moves everything in a repository but its groups and preferences, definitions of attributes and settings of forms too; no event is written.
 * Fails as transferRecord does, on identifiers alone.
 */
export async function transferRepository(tx: Transaction, route: Route): Promise<number> {
  refuseSame(route);
  // Nobody makes or deletes either of them meanwhile.
  const held = await tx.any(
    sql.type(IdRow)`
      SELECT id FROM record WHERE kind = ${repository.name} AND id = ANY(${sql.array([route.from, route.to], 'int4')}) ORDER BY id FOR NO KEY UPDATE`,
  );
  if (held.length < 2) throw fail('not_found', 'Repository not found');
  await gatherRepository(tx, route.from);
  await refuseConflicts(tx, route.from, route.to, null);
  await cutLinks(tx, route);
  await carry(tx, route);
  await matchAttributes(tx, route, sql.fragment`SELECT id FROM moving WHERE kind = ${assessment.name}`);
  await moveAttributeDefinitions(tx, route);
  await moveFormSettings(tx, route.from, route.to);
  return countMoved(tx);
}

function refuseSame({ from, to }: Route): void {
  if (from === to) throw fail('bad_parameter', { target_repo: ['The record is in this repository already'] });
}

async function countMoved(tx: Transaction): Promise<number> {
  return (await tx.one(sql.type(NumberRow)`SELECT count(*)::int AS n FROM moving`)).n;
}

/** The repositories' own agents, as the event names them. An event must have one, so without any the transfer is refused before it begins. */
async function agentsOf(
  tx: Transaction,
  { from, to }: Route,
): Promise<readonly { readonly ref: string; readonly role: string }[]> {
  const rows = await tx.any(sql.type(StoredRow)`
    SELECT id, body FROM record WHERE kind = ${repository.name} AND id = ANY(${sql.array([from, to], 'int4')}) ORDER BY id FOR KEY SHARE`);
  const agentOf = (repoId: number): string | undefined =>
    textOf(objectOf(JSON.parse(rows.find((row) => row.id === repoId)?.body ?? '{}'), 'agent_representation'), 'ref');
  const agents = [
    { ref: agentOf(from), role: 'transmitter' },
    { ref: agentOf(to), role: 'recipient' },
  ].flatMap(({ ref, role }) => (ref === undefined ? [] : [{ ref, role }]));
  if (agents.length === 0)
    throw fail('bad_parameter', {
      target_repo: [
        'Neither repository has an agent, so the transfer of custody cannot be recorded: give one of them an agent first',
      ],
    });
  return agents;
}

// What must hold before records are merged: they exist, nobody forbids that one goes, and the record that stays may have their links.
import { z } from 'zod';
import { kindNamed, uriOf } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import type { Kind } from '#domain/kind.ts';
import type { MergeRecords } from '#domain/merges/merges.ts';
import type { Property } from '#domain/schema/property.ts';
import type { RecordAddress } from '#domain/uri.ts';
import { agentSoftware } from '#domain/kinds/agent_software.ts';
import { repository } from '#domain/kinds/repository.ts';
import { user } from '#domain/kinds/user.ts';
import type { Reader, Transaction } from '../connection/database.ts';
import { ruleFor } from '../records/deleting/prune.ts';
import { holdRecords } from '../records/writing/lock-order.ts';
import { refuseOwnAgent } from '../records/writing/service-events.ts';
import { AddressRow, column } from '../connection/columns.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';

/** A record's uri. */
export const uriOfRecord = ({ kind, id, repoId }: RecordAddress): string => uriOf(kindNamed(kind), id, repoId);

/** The records that go as rows (n, kind, id), for FROM. */
export const goneRows = (gone: readonly RecordAddress[]): Fragment =>
  sql.fragment`${sql.unnest(
    gone.map(({ kind, id }, n) => [n, kind, id]),
    ['int4', 'text', 'int4'],
  )} AS g (n, kind, id)`;

/**
 * Holds everything that the merge will write: first the records that hold refs, those of the other ends of relations and those that are merged, in one order, then those that go, against everybody who would
 * link to them. Who saves a holder meanwhile has its lock before it looks at its targets, so that nobody waits in a circle. Readers wait for nobody.
 * What those that go link to is held as well: the survivor takes such links over, and who deletes one of their targets has to see that.
 */
export async function lockForMerge(tx: Transaction, { survivor, gone }: MergeRecords): Promise<void> {
  await holdRecords(
    tx,
    sql.fragment`SELECT g.kind, g.id FROM ${goneRows([survivor, ...gone])}
    UNION SELECT l.source_kind AS kind, l.source_id AS id FROM ${goneRows(gone)} JOIN link l ON l.target_kind = g.kind AND l.target_id = g.id
    UNION SELECT l.target_kind, l.target_id FROM ${goneRows(gone)} JOIN link l ON l.source_kind = g.kind AND l.source_id = g.id WHERE l.mutual IS NOT NULL`,
    'writes',
  );
  // Before those that link to them, as a deletion takes them; behind these for what was linked meanwhile.
  await holdTargets(tx, gone);
  await holdRecords(tx, sql.fragment`SELECT g.kind, g.id FROM ${goneRows(gone)}`, 'deletion and links');
  await holdTargets(tx, gone);
}

/** Holds what the records link to, and are linked with from both sides, against deletion. */
const holdTargets = (tx: Transaction, gone: readonly RecordAddress[]): Promise<void> =>
  holdRecords(
    tx,
    sql.fragment`SELECT l.target_kind AS kind, l.target_id AS id FROM ${goneRows(gone)} JOIN link l ON l.source_kind = g.kind AND l.source_id = g.id
    UNION SELECT l.source_kind, l.source_id FROM ${goneRows(gone)} JOIN link l ON l.target_kind = g.kind AND l.target_id = g.id WHERE l.mutual IS NOT NULL`,
    'deletion',
  );

/**
 * Fails with `not_found` for a record that is not there; `access_denied` for the service's own agent; `delete_refused` where a user or a
 * repository has an agent that would go; `merge_refused` where the survivor is of a kind that cannot have a link of one that goes.
 */
export async function checkMerge(reader: Reader, records: MergeRecords, key: string): Promise<void> {
  const { survivor, gone } = records;
  const all = [survivor, ...gone];
  const found = await reader.any(sql.type(AddressRow)`
    SELECT r.kind, r.id, r.repo_id FROM ${goneRows(all)} JOIN record r ON r.kind = g.kind AND r.id = g.id`);
  const missing = all.find(
    (one) => !found.some((row) => row.kind === one.kind && row.id === one.id && row.repo_id === one.repoId),
  );
  if (missing !== undefined) throw fail('not_found', `${kindNamed(missing.kind).model} not found`);
  await gone
    .filter((one) => one.kind === agentSoftware.name)
    .reduce<Promise<void>>((before, one) => before.then(() => refuseOwnAgent(reader, one.id)), Promise.resolve());
  if (gone.length > 0) await checkLinks(reader, records, key);
}

const LinkSort = z.strictObject({
  holder: column.text,
  property: column.text,
  mutual: column.maybeText,
  type: column.maybeText,
  own: column.bool,
});
type LinkSort = z.infer<typeof LinkSort>;

async function checkLinks(reader: Reader, { survivor, gone }: MergeRecords, key: string): Promise<void> {
  const sorts = await reader.any(sql.type(LinkSort)`
    SELECT DISTINCT l.source_kind AS holder, l.property, l.mutual, l.ref->>'jsonmodel_type' AS type, false AS own FROM ${goneRows(gone)} JOIN link l ON l.target_kind = g.kind AND l.target_id = g.id
    UNION SELECT DISTINCT l.source_kind, l.property, l.mutual, l.ref->>'jsonmodel_type', true FROM ${goneRows(gone)} JOIN link l ON l.source_kind = g.kind AND l.source_id = g.id WHERE l.mutual IS NOT NULL
    ORDER BY 1, 2, 3, 4, 5`);
  for (const sort of sorts) {
    const rule = ruleFor(kindNamed(sort.holder), sort.property);
    // Links of described records move; users and repositories keep theirs, so these agents stay.
    if (!sort.own && (sort.holder === user.name || sort.holder === repository.name) && typeof rule === 'object')
      throw fail('delete_refused', rule.refuse);
  }
  for (const sort of sorts) {
    const refused =
      sort.mutual === null
        ? !mayHold(kindNamed(sort.holder), sort.property, survivor.kind)
        : !mayRelate(kindNamed(survivor.kind), sort);
    if (refused)
      throw fail('merge_refused', {
        [key]: [`A ${survivor.kind} cannot have the links of those merged into it: ${sort.property} of ${sort.holder}`],
      });
  }
}

/** Whether refs at a property path of a kind may lead to a kind. Paths that are not found (links of older releases) may. */
function mayHold(holder: Kind, path: string, target: string): boolean {
  const [first = '', ...rest] = path.split('.');
  const property = holder.properties[first];
  return property === undefined || reaches(property, rest, target);
}

function reaches(property: Property, rest: readonly string[], target: string): boolean {
  if (property.type === 'list') return reaches(property.of, rest, target);
  if (property.type === 'either') return property.of.some((each) => reaches(each, rest, target));
  if (property.type === 'ref' || property.type === 'uri' || property.type === 'uri_or_object')
    return property.to.length === 0 || property.to.includes(target);
  if (property.type !== 'sub_record') return true;
  const [next = 'ref', ...further] = rest;
  return property.of().some((schema) => {
    const inner = schema.properties[next];
    return inner !== undefined && reaches(inner, further, target);
  });
}

/** Whether a kind knows a relation, and for relations of several types this one. */
function mayRelate(kind: Kind, { mutual, type }: LinkSort): boolean {
  return Object.entries(kind.mutual ?? {}).some(([name, link]) => {
    if (link.relation !== mutual) return false;
    const property = kind.properties[name];
    if (type === null || property?.type !== 'list' || property.of.type !== 'sub_record') return true;
    return property.of.of().some((schema) => schema.name === type);
  });
}

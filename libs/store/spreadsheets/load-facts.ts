// What the rows of a sheet to load name: a fixed number of statements for any number of rows.
import { z } from 'zod';
import type { LoadFacts, LoadWanted, NamedAgents } from '#domain/spreadsheets/load/facts.ts';
import type { Reader } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { readBarcoded, readComponents, readUsedContainers } from './collection.ts';
import { existingIds } from './linker-facts.ts';
import { readDigitalObjects } from './lookups.ts';

/** Looks everything up for a resource. */
export async function readLoadFacts(
  reader: Reader,
  repoId: number,
  resourceId: number,
  wanted: LoadWanted,
): Promise<LoadFacts> {
  const agents = [];
  // A statement for each of the three kinds of agents.
  for (const named of wanted.agents) agents.push(...(await readAgents(reader, named)));
  return {
    agents,
    subjectIds: await existingIds(reader, 'subject', null, wanted.subjectIds),
    used: await readUsedContainers(reader, repoId, resourceId),
    barcoded: await readBarcoded(reader, repoId, wanted.barcodes),
    digitalObjectIds: new Set((await readDigitalObjects(reader, repoId, wanted.digitalObjectIds)).keys()),
    components: await readComponents(reader, repoId, resourceId, wanted.components),
  };
}

const AgentRow = z.strictObject({ id: column.int, header: column.text });

// No index knows the names under which agents are shown; the agents of a kind are looked through once for a job.
async function readAgents(reader: Reader, { kind, ids, headers }: NamedAgents): Promise<LoadFacts['agents']> {
  if (ids.length + headers.length === 0) return [];
  const rows = await reader.any(sql.type(AgentRow)`
    SELECT r.id, r.label AS header FROM record r
    WHERE r.kind = ${kind} AND (r.id = ANY(${sql.array([...ids], 'int4')}) OR r.label = ANY(${sql.array([...headers], 'text')})) ORDER BY r.id`);
  return rows.map((row) => ({ kind, ...row }));
}

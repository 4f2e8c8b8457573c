// Schemas of bodies that are no records of a kind, by the name that routes give in recordBody().
import type { Schema } from '../schema/property.ts';
import { Enumeration, EnumerationMigration, EnumerationValue } from './enumeration.ts';
import { RepositoryWithAgent } from './repository-with-agent.ts';
import { Webhook } from './webhook.ts';

/** The schemas of this folder by wire name. */
export const requestSchemas: ReadonlyMap<string, Schema> = new Map(
  [Enumeration, EnumerationValue, EnumerationMigration, RepositoryWithAgent, Webhook].map((schema) => [schema.name, schema]),
);

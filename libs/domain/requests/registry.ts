// Schemas of bodies that are no records of a kind, by the name that routes give in recordBody().
import type { Schema } from '../schema/property.ts';
import { Enumeration, EnumerationMigration, EnumerationValue } from './enumeration.ts';
import { mergeSchemas } from './merge-request.ts';
import { RepositoryWithAgent } from './repository-with-agent.ts';

/** The schemas of this folder by wire name. */
export const requestSchemas: ReadonlyMap<string, Schema> = new Map([
  ...[Enumeration, EnumerationValue, EnumerationMigration, RepositoryWithAgent].map((schema): [string, Schema] => [schema.name, schema]),
  ...mergeSchemas,
]);

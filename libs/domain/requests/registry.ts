// Schemas of bodies that are no records of a kind, by the name that routes give in recordBody().
import type { Schema } from '../schema/property.ts';
import { ArkNames } from './ark-name.ts';
import { Enumeration, EnumerationMigration, EnumerationValue } from './enumeration.ts';
import { RepositoryWithAgent } from './repository-with-agent.ts';

/** The schemas of this folder by wire name. */
export const requestSchemas: ReadonlyMap<string, Schema> = new Map(
  [ArkNames, Enumeration, EnumerationValue, EnumerationMigration, RepositoryWithAgent].map((schema) => [schema.name, schema]),
);

// Schemas of bodies that are no records of a kind, by the name that routes give in recordBody().
import type { Schema } from '../schema/property.ts';
import { ActiveEdits } from './active-edits.ts';
import { ArkNames } from './ark-name.ts';
import { Enumeration, EnumerationMigration, EnumerationValue } from './enumeration.ts';
import { LocationBatch, LocationBatchUpdate } from './location-batch.ts';
import { mergeSchemas } from './merge-request.ts';
import { RepositoryWithAgent } from './repository-with-agent.ts';
import { AssessmentAttributeDefinitions, DefaultValues, OaiConfig, RequiredFields } from './settings.ts';
import { Webhook } from './webhook.ts';

/** The schemas of this folder by wire name. */
export const requestSchemas: ReadonlyMap<string, Schema> = new Map([
  ...[
    ActiveEdits,
    ArkNames,
    Enumeration,
    EnumerationValue,
    EnumerationMigration,
    RepositoryWithAgent,
    LocationBatch,
    LocationBatchUpdate,
    DefaultValues,
    RequiredFields,
    AssessmentAttributeDefinitions,
    OaiConfig,
    Webhook,
  ].map((schema): [string, Schema] => [schema.name, schema]),
  ...mergeSchemas,
]);

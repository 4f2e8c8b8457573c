// The definitions of ratings, formats and conservation issues of a repository's assessments (contract 6.12).
import { shape } from '../openapi/shape.ts';
import { done } from '../openapi/shapes/envelopes.ts';
import { readAttributeDefinitions, replaceAttributeDefinitions } from '#store/settings/assessment-definitions.ts';
import { recordBody } from '../request/body.ts';
import { repositoryId } from '../request/parameters.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';

const path = '/repositories/:repo_id/assessment_attribute_definitions';

const read = defineRoute({
  method: 'GET',
  path,
  operation: 'getAssessmentAttributeDefinitions',
  area: 'assessments',
  summary: 'Read assessment attribute definitions',
  access: { all: ['view_repository'] },
  parameters: { repo_id: repositoryId() },
  replies: {
    200: {
      says: 'The definitions of all repositories, then those of this one.',
      shape: shape.record('assessment_attribute_definitions'),
    },
  },
  handler: async ({ params, services }) => ({
    jsonmodel_type: 'assessment_attribute_definitions',
    definitions: await readAttributeDefinitions(services.database.reader, params.repo_id),
  }),
});

const replace = defineRoute({
  method: 'POST',
  path,
  operation: 'replaceAssessmentAttributeDefinitions',
  area: 'assessments',
  summary: 'Replace assessment attribute definitions',
  doc: "The list replaces the repository's own definitions; entries that are global are passed over.",
  access: { all: ['manage_assessment_attributes'] },
  parameters: { repo_id: repositoryId() },
  body: recordBody('assessment_attribute_definitions', 'update', {
    example: { definitions: [{ label: 'Water damage', type: 'conservation_issue' }] },
  }),
  replies: {
    200: { says: 'Updated.', shape: done('Updated') },
    409: 'A label is taken, or a definition that would go, or be of another type, is in use.',
  },
  handler: async ({ params, body, services }) => {
    await services.database.transaction((tx) => replaceAttributeDefinitions(tx, params.repo_id, body.record));
    return { status: 'Updated' };
  },
});

/** The routes of this file. */
export const assessmentDefinitionRoutes: readonly Route[] = [read, replace];

// What jobs and which formats of imports clients may ask for (contract trees-and-jobs 3.4, 3.5), as the declarations say.
import { shape } from '../openapi/shape.ts';
import { importTypes } from '#domain/formats/import-types.ts';
import type { WireJob } from '#domain/job.ts';
import { wireJobs } from '#domain/jobs/index.ts';
import { repositoryId } from '../request/parameters.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';

const area = 'jobs';

/** The route of the types that these declarations offer. */
export const makeJobTypesRoute = (declarations: ReadonlyMap<string, WireJob>): Route =>
  defineRoute({
    method: 'GET',
    path: '/job_types',
    operation: 'listJobTypes',
    area,
    summary: 'Job types on offer',
    access: 'public',
    parameters: {},
    replies: {
      200: {
        says: 'An object of types with the permissions to make and cancel jobs of them.',
        shape: shape.mapOf(
          shape.object({ create_permissions: shape.list(shape.text), cancel_permissions: shape.list(shape.text) }),
        ),
      },
    },
    handler: () =>
      Object.fromEntries(
        [...declarations.values()]
          .filter(({ wire }) => wire.hidden !== true)
          .map(({ wire }) => [wire.name, { create_permissions: wire.create, cancel_permissions: wire.cancel }]),
      ),
  });

const importTypesRoute = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/jobs/import_types',
  operation: 'listImportTypes',
  area,
  summary: 'Import formats on offer',
  access: 'public',
  parameters: { repo_id: repositoryId() },
  replies: {
    200: {
      says: 'Names and descriptions.',
      shape: shape.list(shape.object({ name: shape.text, description: shape.text })),
    },
  },
  handler: () => importTypes,
});

/** The routes of this file. */
export const jobTypeRoutes: readonly Route[] = [makeJobTypesRoute(wireJobs), importTypesRoute];

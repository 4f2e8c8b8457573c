// The schemas of records, as clients read them to learn what a body may hold (contract 6.17).
import { shape } from '../openapi/shape.ts';
import { fail } from '#domain/errors.ts';
import { publishedSchemas } from '#domain/schema/published-schemas.ts';
import { text } from '../request/parameters.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';

// Declarations do not change while the process runs.
const schemas = publishedSchemas();

const list = defineRoute({
  method: 'GET',
  path: '/schemas',
  operation: 'listSchemas',
  area: 'schemas',
  summary: 'All schemas',
  access: 'public',
  parameters: {},
  replies: { 200: { says: 'Schemas by name.', shape: shape.mapOf(shape.anyObject) } },
  handler: () => Object.fromEntries(schemas),
});

const read = defineRoute({
  method: 'GET',
  path: '/schemas/:schema',
  operation: 'getSchema',
  area: 'schemas',
  summary: 'One schema',
  doc: 'JSON Schema 2020-12. `dynamic_enum` names the controlled list of a property, `x-refers-to` the kinds that a ref may name.',
  access: 'public',
  parameters: { schema: text({ doc: 'Its name, the `jsonmodel_type` of the record.', example: 'resource' }) },
  replies: { 200: { says: 'The schema.', shape: shape.anyObject }, 404: 'NotFoundException' },
  handler: ({ params }) => {
    const found = schemas.get(params.schema);
    if (found === undefined) throw fail('not_found', 'NotFoundException');
    return found;
  },
});

/** The routes of this file. */
export const schemaRoutes: readonly Route[] = [list, read];

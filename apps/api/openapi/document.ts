// The OpenAPI 3.1 document, made from the declarations of the routes: nothing about an endpoint is written twice.
import type { Config } from '#domain/config.ts';
import type { JsonObject } from '#domain/json.ts';
import { areaText } from './areas.ts';
import { toPathItems } from './operations.ts';
import { productVersion } from './product.ts';
import { failureComponents, failureReplies } from './failures.ts';
import type { Components, Shape } from './shape.ts';
import type { Route } from '../route.ts';

/** The document of a service with these routes; `schemas` are the JSON Schemas of records and sub-records. */
export function toOpenApi(routes: readonly Route[], config: Config, schemas: Components = {}): JsonObject {
  const header = config.MUNIMENT_SESSION_HEADERS[0] ?? 'x-service-session';
  const release = config.MUNIMENT_RELEASE;
  return {
    openapi: '3.1.0',
    info: {
      title: 'Muniment',
      version: productVersion,
      description:
        `Archival records over HTTP, as release ${release} of the interface has it. Log in with \`POST /users/{username}/login\`, then send the ` +
        `token of the reply in the header \`${header}\` with every request. Lists in queries are written \`name[]=a&name[]=b\`.`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map((route) => route.area))]
      .sort()
      .map((name) => ({ name, description: areaText(name) ?? name })),
    paths: toPathItems(routes, { header, release }),
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'header', name: header, description: 'The session token of a login.' },
      },
      schemas: { ...schemas, ...componentsOf(routes), ...failureComponents },
      responses: failureReplies,
    },
  };
}

/** The components that routes bring with the shapes of their replies and bodies. */
function componentsOf(routes: readonly Route[]): Components {
  return Object.assign({}, ...routes.flatMap(shapesOf).map(({ components }) => components));
}

function shapesOf(route: Route): readonly Shape[] {
  const replies = Object.values(route.replies).flatMap((reply) =>
    typeof reply === 'object' && 'shape' in reply ? [reply.shape] : [],
  );
  return route.body?.shape === undefined ? replies : [...replies, route.body.shape];
}

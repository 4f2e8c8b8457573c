// defineRoute(): one endpoint as data and a handler. Everything around it follows from the declaration: coercion of
// parameters, permission, error bodies, OpenAPI, metrics. A route file exports an array of routes, which all-routes.ts
// gathers. One complete route:
//
//   import { defineRoute } from '../route.ts';
//   import { boolean, id, integer, repositoryId, resolve } from '../request/parameters.ts';
//   import { recordBody } from '../request/body.ts';
//   import { jsonText } from '../reply/reply.ts';
//
//   export const moveNode = defineRoute({
//     method: 'POST',
//     path: '/repositories/:repo_id/archival_objects/:id/parent',
//     operation: 'moveArchivalObject',                       // the name of the call in generated clients: verb first, unique
//     area: 'archival objects',                              // the tag in /docs: a plural in lower case
//     summary: 'Move an archival object',
//     doc: 'Moves the node below another parent, or to the top where parent is absent.',
//     access: { all: ['update_resource_record'] },           // in the repository of repo_id; or 'public', 'session', { any }, { check, says }
//     parameters: {
//       repo_id: repositoryId(),                             // named in the path: a path parameter
//       id: id(),
//       parent: id({ optional: true, doc: 'Id of the new parent.' }),            // number | null
//       position: integer({ default: 0, doc: 'Place among the siblings.' }),     // number
//       dry_run: boolean({ optional: true }),                                    // boolean | null
//       resolve,                                             // readonly string[]
//     },
//     body: recordBody('archival_object'),                   // optional; call.body is { record, warnings } then
//     replies: {
//       200: { says: 'The node, moved.', shape: shape.record('archival_object') },   // openapi/shape.ts: what the reply holds
//       404: 'No such node.',
//       409: 'The move would make a cycle.',
//     },
//     handler: async (call) => {
//       const body = await readSomething(call.services.database.reader, call.params.id);
//       return jsonText(body);                               // or any JSON value, or json/text/stream/redirect of reply.ts
//     },
//   });
//
// Order of work (contract 1.1, observable): session token (412), route (404), parameters and body (400), permission (403),
// handler; step by step in dispatch.ts. Throw fail('…') for anything a client can cause.
import type { Caller } from '#domain/access/caller.ts';
import type { Json } from '#domain/json.ts';
import type { KeyedRequest } from '#store/access/idempotency.ts';
import type { Config } from '#domain/config.ts';
import type { Shape } from './openapi/shape.ts';
import type { Body } from './request/body.ts';
import type { Parameters, Values } from './request/parameters.ts';
import type { Reply } from './reply/reply.ts';
import type { Logger, Services, Session } from './services.ts';

/** A method of HTTP that routes may declare. HEAD follows from GET. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One request as a handler sees it. */
export type Call<P, B> = {
  readonly params: P;
  readonly body: B;
  readonly caller: Caller;
  /** Null where the client sent no token. */
  readonly session: Session | null;
  /** The repository that a `repositoryId()` parameter named, or null. */
  readonly repoId: number | null;
  /** The caller's preference `show_suppressed` in the repository; false where nothing hangs on it (contract 5.2). */
  readonly wantsSuppressed: boolean;
  readonly services: Services;
  readonly release: Config['MUNIMENT_RELEASE'];
  /** A signal, the same at each call, that is aborted when the client goes away before the reply is complete. */
  readonly whenGone: () => AbortSignal;
  /** Aborted when the server begins to close; long polls answer then. */
  readonly closing: AbortSignal;
  readonly requestId: string;
  /** The query string as it was sent, for protocols that say what may stand in it. */
  readonly queryText: string;
  /** The request under its Idempotency-Key; null where it has none. Handlers of streamed bodies see to theirs themselves. */
  readonly keyed: KeyedRequest | null;
  readonly log: Logger;
  /** The request's headers by lower-case name; of what is sent more than once, the first or all in one. */
  readonly headers: { readonly [name: string]: string | undefined };
  /** The address of the client, for throttling and audit. */
  readonly address: string;
  /** Whether the client speaks TLS, as far as the proxy in front says so (MUNIMENT_TRUST_PROXY). */
  readonly isSecure: boolean;
  /** Whether the client asked not to wait for jobs (Prefer: respond-async). */
  readonly preferAsync: boolean;
  /** Whether the client asked for indexing at once (X-Service-Priority: high). */
  readonly isUrgent: boolean;
};

/** Who may call: everybody, anybody with a session, holders of all or any of the permissions, or who passes a check. */
export type Access<C> =
  | 'public'
  | 'session'
  | { readonly all: readonly string[] }
  | { readonly any: readonly string[] }
  | { readonly check: (call: C) => boolean | Promise<boolean>; readonly says: string };

/**
 * A reply of a route, which every reply is checked against in the tests: JSON of a shape, text or a stream of a media type, or a redirection.
 * `also` is the media type that it has where a parameter asks for another form.
 */
export type ReplyDoc =
  | {
      readonly says: string;
      readonly shape: Shape;
      readonly also?: string;
      readonly example?: Json;
      readonly headers?: HeaderDocs;
    }
  | { readonly says: string; readonly contentType: string; readonly example?: string; readonly headers?: HeaderDocs }
  | { readonly says: string; readonly location: true };

/** Headers of a reply by name, with what each says. */
type HeaderDocs = { readonly [name: string]: string };

/** A failure of a route: what it is for. Its body is the one that all failures have, unless it is a shape of its own. */
export type FailureDoc = string | { readonly says: string; readonly shape: Shape };

/** Replies by status; the failures that follow from the declaration are added by openapi/replies.ts. */
export type Replies = { readonly [S in 200 | 202 | 300 | 302 | 303]?: ReplyDoc } & {
  readonly [S in 400 | 403 | 404 | 409]?: FailureDoc;
};

/** What does not depend on the types of parameters and body. */
type Described = {
  readonly method: Method | readonly Method[];
  /** ':name' segments as in '/repositories/:repo_id/accessions/:id'; ':id.xml' and a last '*' pass too. */
  readonly path: string;
  /** The operation's name in generated clients, verb first: `listResources`. Of further methods it ends in "ByPost". */
  readonly operation: string;
  readonly summary: string;
  readonly doc?: string;
  /** The area of the documentation that lists the route. */
  readonly area: string;
  readonly replies: Replies;
  /** Whether parameters are described as fields of a form body: what is secret is not for addresses. Both are read all the same. */
  readonly form?: true;
  /** A header without which requests are refused, for the description; the handler reads it. */
  readonly header?: { readonly name: string; readonly example: string; readonly doc: string };
  /** Whether a body that is a JSON object is read as parameters too, where the route declares no body. */
  readonly jsonForm?: true;
  /** Of a route that answers one record: the permission of whoever saves it. What is large is prepared for (large-bodies/large-bodies.ts). */
  readonly savedWith?: string;
  /** Whether replies carry an ETag, and a matching If-None-Match is answered by 304. */
  readonly etag?: true;
  /** False: an Idempotency-Key is not heeded, because the reply holds a secret or the handler sees to it itself. True: it is, of callers with a session, although the route is public. */
  readonly repeatable?: boolean;
  /** Whether a replica may answer: the handler only reads, and all that it reads is told by the change log when it is written. */
  readonly fromReplica?: true;
  /** The handler of a streamed body heeds Idempotency-Key itself; for the documentation. */
  readonly idempotent?: true;
  /** Whether the handler heeds If-Match; for the documentation. */
  readonly ifMatch?: true;
  /** The release of the interface that alone has the route; it is served in both. */
  readonly release?: Config['MUNIMENT_RELEASE'];
};

/** The declaration of an endpoint. `access` has no default: a route says who may call it. */
export type RouteDeclaration<P extends Parameters, B> = Described & {
  readonly access: Access<Call<Values<P>, B>>;
  readonly parameters: P;
  readonly body?: Body<B>;
  readonly handler: (call: Call<Values<P>, B>) => Promise<Reply | Json> | Reply | Json;
};

/** A request of any route: what its parameters and body are, the declaration tells. */
export type UntypedCall = Call<{ readonly [name: string]: unknown }, unknown>;

/** An endpoint as the server sees it: parameters and body have passed the declaration when `access` and `handler` are called. */
export type Route = Described & {
  readonly access: Access<UntypedCall>;
  readonly parameters: Parameters;
  readonly body?: Body<unknown>;
  readonly handler: (call: UntypedCall) => Promise<Reply | Json> | Reply | Json;
};

/** Declares an endpoint; throws at load time where the path names a parameter that is not declared. */
export function defineRoute<const P extends Parameters, B = undefined>(declaration: RouteDeclaration<P, B>): Route {
  for (const name of pathNames(declaration.path)) {
    if (declaration.parameters[name] === undefined)
      throw new Error(`${declaration.path}: the parameter ${name} is not declared`);
  }
  // The server builds params and body from this very declaration (coercion.ts), so they have the types inferred from it.
  return declaration as unknown as Route;
}

/** The names of the parameters in a path, in order; a last '*' is named 'rest'. */
export function pathNames(path: string): readonly string[] {
  const names = [...path.matchAll(/:([a-z_]+)/g)].map((match) => match[1] ?? '');
  return path.endsWith('*') ? [...names, 'rest'] : names;
}

/** The routes with every method and path once: of two that would answer the same request the first declared stays. */
export function withoutRepeats(routes: readonly Route[]): readonly Route[] {
  const taken = new Set<string>();
  return routes.flatMap((route) => {
    const methods = (typeof route.method === 'string' ? [route.method] : route.method).filter((method) => {
      // Names of parameters do not tell paths apart.
      const key = `${method} ${route.path.replace(/:[a-z_]+/g, ':')}`;
      if (taken.has(key)) return false;
      taken.add(key);
      return true;
    });
    return methods.length === 0 ? [] : [{ ...route, method: methods }];
  });
}

// The client with the types of the service's OpenAPI document: every path and operation with what it takes and gives, on one connection.
import createOpenApiClient from 'openapi-fetch';
import type { Client as OpenApiClient, ClientPathsWithMethod, MaybeOptionalInit, MethodResponse } from 'openapi-fetch';
import type { Json } from '../domain/json.ts';
import type { Connection, ConnectionOptions, Sending } from './connection.ts';
import { openConnection } from './connection.ts';
import type { Following, JobEnd } from './jobs.ts';
import { awaitJob } from './jobs.ts';
import type { Ahead, Page } from './lists.ts';
import { walkIdSets, walkPages } from './lists.ts';

type Method = 'get' | 'post' | 'patch' | 'delete';
type Paths<P extends {}, M extends Method> = ClientPathsWithMethod<OpenApiClient<P>, M>;
type Reply<P extends {}, M extends Method, Path extends Paths<P, M>, Init> = MethodResponse<
  OpenApiClient<P>,
  M,
  Path,
  Init
>;
type RequiredKeys<T> = { [K in keyof T]-?: {} extends Pick<T, K> ? never : K }[keyof T];
type InitOf<Init> = RequiredKeys<Init> extends never ? [init?: Init] : [init: Init];

/** A call of one method: the path as the document writes it, then parameters and body. Gives the body of the reply, throws a ServiceError. */
type Caller<P extends {}, M extends Method> = <
  Path extends Paths<P, M>,
  Init extends MaybeOptionalInit<P[Path & keyof P], M & keyof P[Path & keyof P]>,
>(
  path: Path,
  ...init: InitOf<Init>
) => Promise<Reply<P, M, Path, Init>>;

// A search that goes by a cursor has no number of pages, so what every page has is the results.
type Listed<R> = Extract<R, { readonly results: readonly unknown[] }>;
type IdSet<R> = Exclude<Extract<R, readonly unknown[]>, readonly number[]>;
type Params = { readonly params?: { readonly path?: object; readonly query?: object } };

/** The client. */
export type Client<P extends {}> = AsyncDisposable & {
  /** Sessions, and requests whose path is not of the document: the uris of records, as replies have them. */
  readonly connection: Connection;
  readonly get: Caller<P, 'get'>;
  readonly post: Caller<P, 'post'>;
  readonly patch: Caller<P, 'patch'>;
  readonly delete: Caller<P, 'delete'>;
  /** What stands at a uri, such as the `ref` of a link. Nothing is known of its type. */
  ask(uri: string, sending?: Sending): Promise<Json>;
  /** The pages of a list or search, one after another. */
  pages<Path extends Paths<P, 'get'>>(
    path: Path,
    init?: Params & Ahead,
  ): AsyncGenerator<Listed<Reply<P, 'get', Path, {}>>, void, undefined>;
  /** The records of a list or the finds of a search, one after another, read page by page. */
  items<Path extends Paths<P, 'get'>>(
    path: Path,
    init?: Params & Ahead,
  ): AsyncGenerator<Listed<Reply<P, 'get', Path, {}>>['results'][number], void, undefined>;
  /** All records of a list by the ids that there are now, up to `size` (250) at once: for walks during which others write. */
  idSets<Path extends Paths<P, 'get'>>(
    path: Path,
    init?: Params & Ahead & { readonly size?: number },
  ): AsyncGenerator<IdSet<Reply<P, 'get', Path, {}>>, void, undefined>;
  /** Follows a job until it has ended; throws a JobFailed where it did not complete. */
  awaitJob(uri: string, following?: Following): Promise<JobEnd>;
  /** Ends the session that this client made; also at the end of an `await using`. */
  close(): Promise<void>;
};

type Answered = { readonly data?: unknown };
type Untyped = { readonly [method: string]: (path: string, init?: unknown) => Promise<Answered> };

const largestPage = 250;

/** Makes a client; nothing is sent yet. `P` are the paths that openapi-typescript makes of the document. */
export function createClient<P extends {}>(options: ConnectionOptions): Client<P> {
  const connection = openConnection(options);
  // What a path takes and gives is known to the types of the methods below; here they are all alike.
  const api = createOpenApiClient<{}>({
    baseUrl: connection.url,
    fetch: (request) => connection.fetch(request),
  }) as unknown as Untyped;
  const call = async (method: string, path: string, init?: unknown): Promise<unknown> =>
    (await api[method]?.(path, init))?.data;
  const read = (path: string, init: Params, query: object): Promise<unknown> =>
    call('GET', path, { params: { ...init.params, query: { ...init.params?.query, ...query } } });
  const pages = (path: string, init: Params & Ahead = {}): AsyncGenerator<Page, void, undefined> => {
    const size = init.params?.query !== undefined && 'page_size' in init.params.query ? {} : { page_size: largestPage };
    return walkPages(async (page) => (await read(path, init, { ...size, page })) as Page, init);
  };
  const client = {
    connection,
    get: (path: string, init?: unknown) => call('GET', path, init),
    post: (path: string, init?: unknown) => call('POST', path, init),
    patch: (path: string, init?: unknown) => call('PATCH', path, init),
    delete: (path: string, init?: unknown) => call('DELETE', path, init),
    ask: connection.ask,
    pages,
    items: async function* (path: string, init?: Params & Ahead): AsyncGenerator<unknown, void, undefined> {
      for await (const page of pages(path, init)) yield* page.results;
    },
    idSets: (path: string, init: Params & Ahead & { readonly size?: number } = {}) =>
      walkIdSets(
        async () => (await read(path, init, { all_ids: true })) as readonly number[],
        (ids) => read(path, init, { id_set: ids.join(',') }),
        init,
      ),
    awaitJob: (uri: string, following?: Following) => awaitJob(connection, uri, following),
    close: connection.close,
    [Symbol.asyncDispose]: connection.close,
  };
  return client as unknown as Client<P>;
}

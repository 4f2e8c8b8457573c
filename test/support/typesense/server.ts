// Stands in for a Typesense server in tests: real HTTP, every path, header, parameter and body held against the API that Typesense 29 documents,
// everything else refused in its way. It finds, orders and counts for what our adapter asks, and is no proof of how a real server behaves.
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { StandInCollection } from './collection.ts';
import { readFilter } from './filter.ts';
import { Refusal } from './refusal.ts';
import { checkParameters, runSearch } from './search.ts';

/** A running stand-in. `requests` are those it got, as `METHOD /path`; `fail` answers the next ones with a status (3xx: to another place), drops the connection (0), or never answers. */
export type StandIn = AsyncDisposable & {
  readonly url: string;
  readonly apiKey: string;
  readonly requests: string[];
  fail(fault: Fault, times: number): void;
  /** Documents that hold this text are refused by imports. */
  refuseDocumentsWith(text: string | null): void;
  collection(name: string): StandInCollection | undefined;
  readonly collectionNames: readonly string[];
};

type Fault = number | 'silence';
type Answer = { readonly status: number; readonly body: unknown; readonly isText?: boolean };

/** Starts a stand-in on a port of its own. */
export async function startTypesenseStandIn(): Promise<StandIn> {
  const apiKey = 'stand-in-key';
  const collections = new Map<string, StandInCollection>();
  const aliases = new Map<string, string>();
  const requests: string[] = [];
  const faults: Fault[] = [];
  let refused: string | null = null;
  const server = createServer((request, response) => {
    void (async () => {
      const body = await bodyOf(request);
      requests.push(`${request.method} ${request.url?.split('?', 1)[0]}`);
      const fault = faults.shift();
      if (fault === 0) return void request.socket.destroy();
      if (fault === 'silence') return;
      const answer = fault === undefined ? handle(request, body) : { status: fault, body: { message: 'as told' } };
      response.writeHead(answer.status, {
        'content-type': answer.isText === true ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
        ...(answer.status >= 300 && answer.status < 400 ? { location: '/elsewhere' } : {}),
      });
      response.end(answer.isText === true ? String(answer.body) : JSON.stringify(answer.body));
    })();
  });

  const find = (name: string): StandInCollection => {
    const found = collections.get(aliases.get(name) ?? name);
    if (found === undefined) throw new Refusal(404, `Could not find a collection named ${name}`);
    return found;
  };

  function handle(request: IncomingMessage, body: string): Answer {
    try {
      if (request.headers['x-typesense-api-key'] !== apiKey)
        throw new Refusal(401, 'Forbidden - a valid `x-typesense-api-key` header must be sent.');
      const url = new URL(request.url ?? '', 'http://stand-in');
      return route(request.method ?? '', url.pathname.slice(1).split('/').map(decodeURIComponent), url.searchParams, {
        text: body,
        type: request.headers['content-type'] ?? '',
      });
    } catch (error) {
      if (error instanceof Refusal) return { status: error.status, body: { message: error.message } };
      return { status: 500, body: { message: String(error) } };
    }
  }

  function route(
    method: string,
    path: readonly string[],
    query: URLSearchParams,
    body: { readonly text: string; readonly type: string },
  ): Answer {
    const [area = '', name = '', third, fourth] = path;
    const at = `${method} ${area}${path.length > 1 ? '/:name' : ''}${third === undefined ? '' : `/${third}`}${fourth === undefined ? '' : `/${fourth}`}`;
    const permit = (...names: readonly string[]): void => {
      for (const key of query.keys())
        if (!names.includes(key)) throw new Refusal(400, `stand-in: ${at} has no parameter \`${key}\``);
    };
    const json = (): unknown => {
      if (!body.type.startsWith('application/json'))
        throw new Refusal(400, 'stand-in: a JSON body is sent as application/json');
      return parse(body.text);
    };
    switch (at) {
      case 'GET collections':
        permit('exclude_fields', 'limit', 'offset');
        return {
          status: 200,
          body: [...collections.values()]
            .reverse()
            .map((one) => one.describe(query.get('exclude_fields') !== 'fields')),
        };
      case 'POST collections': {
        permit();
        const made = new StandInCollection(json());
        if (collections.has(made.name))
          throw new Refusal(409, `A collection with name \`${made.name}\` already exists.`);
        collections.set(made.name, made);
        return { status: 201, body: made.describe(true) };
      }
      case 'GET collections/:name':
        permit();
        return { status: 200, body: find(name).describe(true) };
      case 'DELETE collections/:name': {
        permit('compact_store');
        const gone = find(name);
        collections.delete(gone.name);
        return { status: 200, body: gone.describe(true) };
      }
      case 'POST collections/:name/documents/import':
        // The last is the client's own switch, which it sends along.
        permit('action', 'batch_size', 'dirty_values', 'return_id', 'return_doc', 'throwOnFail');
        if (query.get('action') !== 'upsert') throw new Refusal(400, 'stand-in: only action=upsert');
        if (body.type !== 'text/plain' && !body.type.startsWith('text/plain;'))
          throw new Refusal(400, 'stand-in: JSON lines are sent as text/plain');
        return {
          status: 200,
          isText: true,
          body: body.text
            .split('\n')
            .map((line) => JSON.stringify(importLine(find(name), line, query.get('return_id') === 'true')))
            .join('\n'),
        };
      case 'DELETE collections/:name/documents': {
        permit('filter_by', 'batch_size');
        const filter = query.get('filter_by') ?? '';
        if (filter === '') throw new Refusal(400, 'Parameter `filter_by` must be provided.');
        const collection = find(name);
        return { status: 200, body: { num_deleted: collection.remove(readFilter(filter, collection)) } };
      }
      case 'GET aliases':
        permit();
        return {
          status: 200,
          body: { aliases: [...aliases].map(([alias, collection]) => ({ name: alias, collection_name: collection })) },
        };
      case 'GET aliases/:name':
      case 'DELETE aliases/:name': {
        permit();
        const collection = aliases.get(name);
        if (collection === undefined) throw new Refusal(404, 'Not Found');
        if (method === 'DELETE') aliases.delete(name);
        return { status: 200, body: { name, collection_name: collection } };
      }
      case 'PUT aliases/:name': {
        permit();
        const given = json();
        const target =
          typeof given === 'object' && given !== null && 'collection_name' in given ? given.collection_name : undefined;
        if (typeof target !== 'string' || Object.keys(given ?? {}).length !== 1)
          throw new Refusal(400, 'Parameter `collection_name` is required.');
        if (collections.has(name))
          throw new Refusal(500, `Name \`${name}\` conflicts with an existing collection name.`);
        aliases.set(name, target);
        return { status: 200, body: { name, collection_name: target } };
      }
      case 'POST multi_search':
        permit('limit_multi_searches');
        return { status: 200, body: { results: searchesIn(json()).map(runOne) } };
      default:
        throw new Refusal(404, 'Not Found');
    }
  }

  function importLine(collection: StandInCollection, line: string, withId: boolean): object {
    try {
      if (refused !== null && line.includes(refused)) throw new Refusal(400, 'Field `title_sort` must be a string.');
      return {
        success: true,
        ...(withId ? { id: collection.upsert(parse(line)) } : (collection.upsert(parse(line)), {})),
      };
    } catch (error) {
      if (error instanceof Refusal) return { success: false, code: error.status, error: error.message, document: line };
      throw error;
    }
  }

  /** A wrong search does not spoil the others: its place in the results tells. */
  function runOne(search: { readonly [name: string]: unknown }): object {
    try {
      checkParameters(search);
      return runSearch(find(String(search['collection'])), search);
    } catch (error) {
      if (error instanceof Refusal) return { code: error.status, error: error.message };
      throw error;
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    apiKey,
    requests,
    fail: (fault, times) => void faults.push(...Array.from({ length: times }, () => fault)),
    refuseDocumentsWith: (text) => void (refused = text),
    collection: (name) => collections.get(aliases.get(name) ?? name),
    get collectionNames() {
      return [...collections.keys()];
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function searchesIn(body: unknown): readonly { readonly [name: string]: unknown }[] {
  const searches = typeof body === 'object' && body !== null && 'searches' in body ? body.searches : undefined;
  if (!Array.isArray(searches) || Object.keys(body ?? {}).length !== 1)
    throw new Refusal(400, 'Missing `searches` array.');
  if (searches.length > 50)
    throw new Refusal(400, 'Number of multi searches exceeds `limit_multi_searches` parameter.');
  return searches.map((search): { readonly [name: string]: unknown } =>
    Object.fromEntries(Object.entries(Object(search))),
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'Bad JSON.');
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

// A small incumbent for tests of reading: answers as the recorded shapes of either release do, and misbehaves on demand.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What it holds: records by the address of their list, and replies to other addresses. */
export type Holdings = {
  readonly version: string;
  readonly lists: { [at: string]: { [id: number]: object } };
  readonly replies: { [path: string]: unknown };
};

/** Looks at a request before it is answered; true where it has answered, or will not be. */
type Mischief = (request: IncomingMessage, response: ServerResponse, url: URL) => boolean;

/** A running incumbent. `requests` are the addresses it was asked for; `mostAtOnce` how many it had under way. */
export type Incumbent = AsyncDisposable & {
  readonly url: string;
  readonly requests: string[];
  readonly startedAt: number[];
  mostAtOnce: number;
  mischief: Mischief;
};

/** Starts one. Requests without the session of its login get the 412 that clients know. */
export async function startIncumbent(holdings: Holdings): Promise<Incumbent> {
  let underWay = 0;
  const json = (response: ServerResponse, value: unknown, status = 200): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://incumbent');
    incumbent.requests.push(`${url.pathname}${url.search}`);
    incumbent.startedAt.push(performance.now());
    incumbent.mostAtOnce = Math.max(incumbent.mostAtOnce, ++underWay);
    response.on('close', () => underWay--);
    if (incumbent.mischief(request, response, url)) return;
    if (/^\/users\/[^/]+\/login$/.test(url.pathname)) return json(response, { session: 'opened', user: {} });
    if (request.headers['x-archivesspace-session'] !== 'opened')
      return json(response, { code: 'SESSION_GONE', error: 'No session found for opened' }, 412);
    if (url.pathname === '/version') return void response.end(holdings.version);
    const list = holdings.lists[url.pathname];
    if (list !== undefined) {
      if (url.searchParams.has('all_ids')) return json(response, Object.keys(list).map(Number));
      const ids = (url.searchParams.get('id_set') ?? '').split(',').map(Number);
      return json(
        response,
        ids.flatMap((id) => list[id] ?? []),
      );
    }
    const [, at = '', id = ''] = /^(.*)\/(\d+)$/.exec(url.pathname) ?? [];
    const reply = holdings.lists[at]?.[Number(id)] ?? holdings.replies[url.pathname];
    if (reply === undefined) return json(response, { error: 'Record not found' }, 404);
    if (Buffer.isBuffer(reply)) return void response.end(reply);
    return json(response, reply);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const incumbent: Incumbent = {
    // A server of TCP has an address of this shape.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    startedAt: [],
    mostAtOnce: 0,
    mischief: () => false,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return incumbent;
}

/** Records of one kind with these ids, as lists show them. */
function recordsOf(at: string, type: string, ids: readonly number[], more: object = {}): { [id: number]: object } {
  return Object.fromEntries(
    ids.map((id) => [
      id,
      { jsonmodel_type: type, uri: `${at}/${id}`, title: `${type} ${id}`, lock_version: 0, ...more },
    ]),
  );
}

/** The holdings of a small service of a release: one repository, 250 archival objects, a job with a file. */
export function smallHoldings(version: string): Holdings {
  const ids = Array.from({ length: 250 }, (_, index) => index * 3 + 1);
  return {
    version,
    lists: {
      '/users': recordsOf('/users', 'user', [1, 2], { permissions: { '/repositories/1': [] } }),
      '/subjects': recordsOf('/subjects', 'subject', [5, 6, 9]),
      '/agents/people': recordsOf('/agents/people', 'agent_person', [1]),
      '/repositories/2/resources': recordsOf('/repositories/2/resources', 'resource', [1, 4]),
      '/repositories/2/archival_objects': recordsOf('/repositories/2/archival_objects', 'archival_object', ids),
      '/repositories/2/jobs': recordsOf('/repositories/2/jobs', 'job', [3]),
    },
    replies: {
      '/repositories': [{ uri: '/repositories/2', repo_code: 'MSS', jsonmodel_type: 'repository' }],
      '/vocabularies': [{ uri: '/vocabularies/1', name: 'Subjects', terms: [] }],
      '/vocabularies/1/terms': [{ uri: '/terms/1', term: 'Ports', jsonmodel_type: 'term' }],
      '/config/enumerations': [{ uri: '/config/enumerations/1', name: 'archival_record_level', values: ['file'] }],
      '/oai_config': [{ uri: '/oai_config/1', oai_repository_name: 'A' }],
      '/repositories/2/groups': [{ uri: '/repositories/2/groups/7', group_code: 'archivists' }],
      '/repositories/2/groups/7': { uri: '/repositories/2/groups/7', member_usernames: ['ann'] },
      '/repositories/2/jobs/3/log': Buffer.from('What was done.\n'),
      '/repositories/2/jobs/3/output_files': [11],
      '/repositories/2/jobs/3/output_files/11': Buffer.from([0, 255, 10, 13]),
      '/delete-feed': { first_page: 1, last_page: 1, this_page: 1, results: ['/subjects/7'] },
    },
  };
}

// Reading an incumbent of either release that is slow, breaks off, asks to be left alone, and cannot show some of its records.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { Incumbent } from '../incumbent.ts';
import { smallHoldings, startIncumbent } from '../incumbent.ts';
import type { Run } from '../run-cli.ts';
import { filesForTests, runCli } from '../run-cli.ts';

const files = filesForTests();
let incumbent: Incumbent;
let count = 0;
let folder = '';
afterEach(() => incumbent[Symbol.asyncDispose]());

async function migrate(
  version: string,
  prepare: (holdings: ReturnType<typeof smallHoldings>) => void,
  ...more: readonly string[]
): Promise<Run> {
  const holdings = smallHoldings(version);
  incumbent = await startIncumbent(holdings);
  folder = join(files.folder, `from-${++count}`);
  prepare(holdings);
  return again(...more);
}

const again = (...more: readonly string[]): Promise<Run> => {
  const password = files.put('password', 'secret\n');
  const limits = more.includes('--requests-a-second') ? [] : ['--requests-a-second', '500'];
  return runCli([
    'migrate',
    '--from',
    incumbent.url,
    '--password-file',
    password,
    '--into',
    folder,
    '--json',
    ...limits,
    ...more,
  ]);
};
const linesOf = (file: string): any[] =>
  readFileSync(join(folder, `${file}.ndjson`), 'utf8')
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
const idsOf = (file: string): number[] => linesOf(file).map(({ uri }) => Number(uri.split('/').at(-1)));

it('sends the password that a file has in its line', async () => {
  let body = '';
  const { code } = await migrate('ArchivesSpace (v4.1.1)', () => {
    incumbent.mischief = (request, _response, url) => {
      if (url.pathname.endsWith('/login')) request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
      return false;
    };
  });
  expect([code, new URLSearchParams(body).get('password')]).toEqual([0, 'secret']);
});

it.each([
  ['ArchivesSpace (v3.3.1)', 'R-A'],
  ['ArchivesSpace (v4.1.1)', 'R-B'],
])('reads all of %s, whose shapes are those of %s', async (version, release) => {
  const { code, stdout } = await migrate(version, () => undefined);
  expect([code, JSON.parse(stdout).manifest.source]).toEqual([0, { url: incumbent.url, release, version }]);
  expect(idsOf('archival_objects')).toEqual(Array.from({ length: 250 }, (_, index) => index * 3 + 1));
  expect(linesOf('groups')).toEqual([{ uri: '/repositories/2/groups/7', member_usernames: ['ann'] }]);
  expect(linesOf('terms')).toEqual([{ uri: '/terms/1', term: 'Ports', jsonmodel_type: 'term' }]);
  expect(idsOf('users')).toEqual([1, 2]);
  expect(linesOf('deleted')).toEqual([{ uri: '/subjects/7', at: null }]);
  expect(linesOf('problems').filter(({ status }) => status !== 404)).toEqual([]);
  expect(readFileSync(join(folder, 'job_logs/3.txt'), 'utf8')).toBe('What was done.\n');
  expect(readFileSync(join(folder, 'job_files/3/11'))).toEqual(Buffer.from([0, 255, 10, 13]));
});

it('reads with --since FOLDER what an update of it would ask for: from a minute before, and from when a list was read last', async () => {
  await migrate('ArchivesSpace (v4.1.1)', () => undefined);
  const read = folder;
  const since = async (manifest: object): Promise<number> => {
    const whole = JSON.parse(readFileSync(join(read, 'manifest.json'), 'utf8'));
    writeFileSync(join(read, 'manifest.json'), JSON.stringify({ ...whole, ...manifest }));
    folder = join(files.folder, `since-${++count}`);
    return JSON.parse((await again('--since', read)).stdout).manifest.since;
  };
  const [started, before] = ['2026-03-01T12:00:00.000Z', '2026-02-01T12:00:00.000Z'];
  expect(await since({ started })).toBe(Date.parse(started) / 1000 - 60);
  expect(await since({ started, behind: { '/subjects': before } })).toBe(Date.parse(before) / 1000 - 60);
  // The feed hides no record that has changed.
  expect(await since({ started, behind: { '/delete-feed': before } })).toBe(Date.parse(started) / 1000 - 60);
});

it('asks no more at once and a second than it may', async () => {
  const slowly = (): void => {
    incumbent.mischief = (_request, response, url) => {
      if (!url.searchParams.has('id_set')) return false;
      setTimeout(() => response.writeHead(200).end('[]'), 60);
      return true;
    };
  };
  expect(
    (await migrate('v4.1.1', slowly, '--requests-at-once', '2', '--requests-a-second', '100', '--no-jobs')).code,
  ).toBe(0);
  expect(incumbent.mostAtOnce).toBe(2);
  const [first = 0] = incumbent.startedAt;
  // A second's worth of requests takes a second; what waits in sockets comes a little closer together.
  expect(((incumbent.startedAt.at(-1) ?? 0) - first) / (incumbent.requests.length - 1)).toBeGreaterThan(9);
});

it('waits as long as it is asked to, logs in again, and repeats what failed or broke off', async () => {
  let heldAt = 0;
  let heldFor = 0;
  const met = new Set<string>();
  const once = (name: string): boolean => !met.has(name) && met.add(name) !== undefined;
  const { code, stdout } = await migrate('v4.1.1', () => {
    incumbent.mischief = (request, response, url) => {
      if (heldAt !== 0 && heldFor === 0) heldFor = performance.now() - heldAt;
      if (url.pathname === '/subjects' && once('busy')) {
        heldAt = performance.now();
        response.writeHead(429, { 'retry-after': '2' }).end('{"error":"slow down"}');
        return true;
      }
      if (url.pathname === '/repositories/2/resources' && once('dropped')) {
        request.socket.destroy();
        return true;
      }
      if (url.pathname === '/repositories/2/archival_objects' && url.searchParams.has('id_set') && once('half')) {
        response.writeHead(200, { 'content-length': '1000' }).write('[{"uri":"/repo');
        setTimeout(() => request.socket.destroy(), 20);
        return true;
      }
      if (url.pathname === '/agents/people' && once('gone')) {
        response.writeHead(412).end('{"code":"SESSION_GONE","error":"x"}');
        return true;
      }
      if (url.pathname === '/agents/people' && once('failed')) {
        response.writeHead(500).end('<html>no JSON</html>');
        return true;
      }
      return false;
    };
  });
  expect([code, [...met].toSorted()]).toEqual([0, ['busy', 'dropped', 'failed', 'gone', 'half']]);
  expect(heldFor).toBeGreaterThan(1950);
  expect([idsOf('subjects'), idsOf('resources'), idsOf('agents_people')]).toEqual([[5, 6, 9], [1, 4], [1]]);
  expect(idsOf('archival_objects')).toEqual(Array.from({ length: 250 }, (_, index) => index * 3 + 1));
  expect(JSON.parse(stdout).manifest.finished).toEqual(expect.any(String));
});

it('tells what vanished and what the source cannot show, and reads all else', async () => {
  const spoil = (holdings: ReturnType<typeof smallHoldings>): void => {
    incumbent.mischief = (_request, response, url) => {
      const isPage = url.searchParams.has('id_set');
      const asked = isPage ? (url.searchParams.get('id_set') ?? '').split(',') : [url.pathname.split('/').at(-1) ?? ''];
      if (url.pathname.startsWith('/repositories/2/archival_objects') && asked.includes('301')) {
        response.writeHead(500).end('{"error":"undefined method for nil"}');
        return true;
      }
      // Gone between the list of ids and the page.
      if (isPage && url.pathname === '/subjects') delete holdings.lists['/subjects']?.[6];
      return false;
    };
  };
  const { code, stdout } = await migrate('v3.3.1', spoil);
  expect([code, JSON.parse(stdout).problems]).toEqual([0, expect.any(Number)]);
  expect(idsOf('archival_objects')).toEqual(
    Array.from({ length: 250 }, (_, index) => index * 3 + 1).filter((id) => id !== 301),
  );
  expect(idsOf('subjects')).toEqual([5, 9]);
  expect(linesOf('problems').filter(({ uri }) => /\d$/.test(uri) && !uri.includes('?'))).toEqual([
    { uri: '/subjects/6', status: 404, reason: 'It was listed, and gone when it was read.', file: 'subjects' },
    {
      uri: '/repositories/2/archival_objects/301',
      status: 500,
      reason: expect.stringContaining('undefined method for nil'),
      file: 'archival_objects',
    },
  ]);
});

it('refuses a wrong password and a second source in one folder', async () => {
  const refused = await migrate('v4.1.1', () => {
    incumbent.mischief = (_request, response, url) => {
      if (!url.pathname.endsWith('/login')) return false;
      response.writeHead(403).end('{"error":"Login failed"}');
      return true;
    };
  });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('refused the password of admin')]);
  incumbent.mischief = () => false;
  expect((await again()).code).toBe(0);
  await incumbent[Symbol.asyncDispose]();
  incumbent = await startIncumbent(smallHoldings('v4.1.1'));
  const other = await again();
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('give another folder')]);
});

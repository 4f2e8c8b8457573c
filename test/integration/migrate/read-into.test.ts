// Reading an incumbent that goes away for good and comes back, and one that does not show everything.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SourceLost } from '#migrate/failures.ts';
import { makePlan } from '#migrate/plan.ts';
import type { Problem } from '#migrate/reading.ts';
import { readUnit } from '#migrate/reading.ts';
import { readInto } from '#migrate/read-into.ts';
import { isUrl, sourceUrl } from '../../../apps/cli/migrate/run-reading.ts';
import type { Source } from '#migrate/source.ts';
import { openSource, releaseOf } from '#migrate/source.ts';
import type { Incumbent } from '../cli/incumbent.ts';
import { smallHoldings, startIncumbent } from '../cli/incumbent.ts';
import { filesForTests } from '../cli/run-cli.ts';

const files = filesForTests();
const impatient = { whenAway: 2, whenFailing: 1, firstWaitMs: 5, longestWaitMs: 20, longestAskedMs: 30, replyMs: 500 };
let incumbent: Incumbent;
beforeEach(async () => {
  incumbent = await startIncumbent(smallHoldings('v4.1.1'));
});
afterEach(() => incumbent[Symbol.asyncDispose]());
const open = (): Promise<Source> =>
  openSource(
    { url: incumbent.url, user: 'admin', password: 'secret' },
    { atOnce: 3, aSecond: 1000 },
    new AbortController().signal,
    impatient,
  );

it('asks a source again that wants to be left alone for longer than anybody waits', async () => {
  const source = await open();
  const asked = ['86400', '99999999999999'];
  incumbent.mischief = (_request, response) => {
    const next = asked.shift();
    if (next === undefined) return false;
    response.writeHead(503, { 'retry-after': next }).end();
    return true;
  };
  expect(await source.ask('/repositories')).toMatchObject([{ repo_code: expect.any(String) }]);
  expect(asked).toEqual([]);
});

it('gives up where the source stays away, and goes on with what is missing when it is back', async () => {
  const folder = join(files.folder, 'back');
  const source = await open();
  let pages = 0;
  incumbent.mischief = (request, _response, url) => {
    if (!url.pathname.includes('archival_objects') || !url.searchParams.has('id_set') || ++pages < 2) return false;
    request.socket.destroy();
    return true;
  };
  await expect(readInto(source, folder)).rejects.toThrow(SourceLost);
  const before = readFileSync(join(folder, 'archival_objects.ndjson'), 'utf8').split('\n').length - 1;
  expect(before).toBe(100);
  incumbent.mischief = () => false;
  incumbent.requests.length = 0;
  const { readNow, manifest } = await readInto(await open(), folder);
  expect(manifest.files['archival_objects']).toEqual({ records: 250, complete: true });
  expect(readNow).toBe(151);
  // Neither what was complete nor what there is of the rest is asked for again.
  expect(incumbent.requests.filter((path) => path.startsWith('/subjects'))).toEqual([]);
  expect(incumbent.requests.some((path) => path.includes('archival_objects?id_set=1%2C'))).toBe(false);
});

it('gives up on a page that takes too long', async () => {
  const source = await open();
  incumbent.mischief = (_request, _response, url) => url.pathname === '/subjects';
  const unit = { at: '/subjects', how: 'ids' } as const;
  await expect(Array.fromAsync(readUnit(source, unit, { onProblem: () => undefined }))).rejects.toThrow(SourceLost);
});

it('tells of a list that it may not see, and says nothing of one that a source may lack', async () => {
  const source = await open();
  incumbent.mischief = (_request, response, url) => {
    if (url.pathname !== '/subjects') return false;
    response.writeHead(403).end('{"error":"Access denied"}');
    return true;
  };
  const problems: Problem[] = [];
  const read = (at: string, mayLack: boolean) =>
    Array.fromAsync(readUnit(source, { at, how: 'ids', mayLack }, { onProblem: (problem) => problems.push(problem) }));
  expect([await read('/subjects', true), await read('/nothing', true), await read('/nothing', false)]).toEqual([
    [],
    [],
    [],
  ]);
  expect(problems.map(({ uri, status }) => [uri, status])).toEqual([
    ['/subjects', 403],
    ['/nothing', 404],
  ]);
});

it('plans lists of values, people and things before what refers to them', async () => {
  const order = (await makePlan(await open())).map(({ file }) => file);
  const at = (file: string): number => order.indexOf(file);
  expect(new Set(order).size).toBe(order.length);
  expect(at('enumerations')).toBeLessThan(at('subjects'));
  for (const [one, other] of [
    ['agents_people', 'users'],
    ['subjects', 'accessions'],
    ['locations', 'top_containers'],
    ['top_containers', 'resources'],
    ['digital_objects', 'resources'],
    ['resources', 'archival_objects'],
    ['archival_objects', 'events'],
  ] as const)
    expect([one, at(one) !== -1 && at(one) < at(other)]).toEqual([one, true]);
});

it('knows releases by their versions, and addresses from folders', () => {
  expect(['ArchivesSpace (v3.3.1)', 'Muniment (v4.1.1), Muniment 0.1.0', 'v2.8', 'unknown'].map(releaseOf)).toEqual([
    ...['R-A', 'R-B', 'R-A', 'R-B'],
  ]);
  expect([isUrl('http://a/api'), isUrl('archive'), isUrl('http:'), sourceUrl('http://a/api/')]).toEqual([
    ...[true, false, false, 'http://a/api'],
  ]);
});

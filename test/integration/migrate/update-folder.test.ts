// A folder brought up to date: only what has changed is told to the next load, an interruption skips nothing, and what cannot be read stays.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SourceLost } from '#migrate/failures.ts';
import { changesFolder, readManifest, writeManifest } from '#migrate/folder.ts';
import { linesToLoad } from '#migrate/loaded-lines.ts';
import { readInto } from '#migrate/read-into.ts';
import type { Source } from '#migrate/source.ts';
import { openSource } from '#migrate/source.ts';
import { updateFolder } from '#migrate/update-folder.ts';
import { linesOf } from '../cli/archive-of-all-kinds.ts';
import type { Holdings, Incumbent } from '../cli/incumbent.ts';
import { smallHoldings, startIncumbent } from '../cli/incumbent.ts';
import { filesForTests } from '../cli/run-cli.ts';

const files = filesForTests();
const impatient = { whenAway: 1, whenFailing: 1, firstWaitMs: 5, longestWaitMs: 20, longestAskedMs: 20, replyMs: 2000 };
let incumbent: Incumbent;
let holdings: Holdings;
beforeEach(async () => {
  holdings = smallHoldings('v4.1.1');
  incumbent = await startIncumbent(holdings);
});
afterEach(() => incumbent[Symbol.asyncDispose]());

const open = (): Promise<Source> =>
  openSource(
    { url: incumbent.url, user: 'admin', password: 'secret' },
    { atOnce: 3, aSecond: 1000 },
    new AbortController().signal,
    impatient,
  );
const titlesOf = (folder: string, file: string): unknown[] =>
  linesOf(folder, file)
    .map(({ uri, title }) => [uri, title])
    .toSorted();
const R = '/repositories/2';

it('takes what changed, and what is new or gone, whatever breaks off meanwhile', async () => {
  const folder = join(files.folder, 'updated');
  const nodes = holdings.lists[`${R}/archival_objects`] ?? {};
  for (const id of [1, 4, 7])
    nodes[id] = { ...nodes[id], resource: { ref: `${R}/resources/1` }, position: (id - 1) / 3 };
  await readInto(await open(), folder);
  const manifest = await readManifest(folder);
  if (manifest === null) throw new Error('nothing was read');
  await writeManifest(folder, { ...manifest, loaded: 'http://here' });
  const subjects = holdings.lists['/subjects'] ?? {};
  subjects[6] = { ...subjects[6], title: 'Told anew' };
  subjects[12] = { ...subjects[6], uri: '/subjects/12' };
  delete subjects[9];
  // Made and deleted since it was read, and in no list; and one that the feed tells of though it is there.
  holdings.replies['/delete-feed'] = {
    first_page: 1,
    last_page: 1,
    this_page: 1,
    results: ['/subjects/7', '/subjects/9', `${R}/archival_objects/9001`, '/subjects/5'],
  };
  nodes[7] = { ...nodes[7], position: 0 };
  let pages = 0;
  incumbent.mischief = (request, _response, url) => {
    if (url.pathname !== `${R}/archival_objects` || !url.searchParams.has('id_set') || ++pages < 2) return false;
    request.socket.destroy();
    return true;
  };
  await expect(updateFolder(await open(), folder)).rejects.toThrow(SourceLost);
  expect(await readManifest(folder)).toMatchObject({
    finished: null,
    updating: expect.any(String),
    started: manifest.started,
  });
  // What cannot be read stays as it was, and is told.
  incumbent.mischief = (_request, response, url) => {
    if (url.pathname !== `${R}/groups`) return false;
    response.writeHead(403).end('{"error":"Access denied"}');
    return true;
  };
  await updateFolder(await open(), folder);
  const after = await readManifest(folder);
  expect(after).toMatchObject({ finished: expect.any(String), loaded: 'http://here' });
  expect(after?.updating).toBeUndefined();
  expect(titlesOf(folder, 'subjects')).toEqual([
    ['/subjects/12', 'Told anew'],
    ['/subjects/5', 'subject 5'],
    ['/subjects/6', 'Told anew'],
  ]);
  expect(linesOf(folder, 'archival_objects').length).toBe(250);
  expect(linesOf(folder, 'groups').map(({ uri }) => uri)).toEqual([`${R}/groups/7`]);
  expect(linesOf(folder, 'problems').filter(({ status }) => status === 403)).toEqual([
    { uri: `${R}/groups`, status: 403, reason: expect.any(String), file: 'groups' },
  ]);
  expect(
    linesOf(folder, 'deleted')
      .map(({ uri }) => uri)
      .toSorted(),
  ).toEqual([`${R}/archival_objects/9001`, '/subjects/5', '/subjects/7', '/subjects/9']);
  const changes = join(folder, changesFolder);
  expect(new Set(linesOf(changes, 'subjects').map(({ uri }) => uri))).toEqual(new Set(['/subjects/6', '/subjects/12']));
  expect(new Set(linesOf(changes, 'deleted').map(({ uri }) => uri))).toEqual(
    new Set(['/subjects/9', `${R}/archival_objects/9001`]),
  );
  // With the node that moved, its siblings: positions of one list go together.
  expect(new Set(linesOf(changes, 'archival_objects').map(({ uri }) => uri))).toEqual(
    new Set([1, 4, 7].map((id) => `${R}/archival_objects/${id}`)),
  );
  expect(existsSync(join(changes, 'groups.ndjson'))).toBe(false);
});

it('reads what is told to have changed and its siblings alone, and keeps the rest as it is', async () => {
  const folder = join(files.folder, 'kept');
  const at = `${R}/archival_objects`;
  const nodes = holdings.lists[at] ?? {};
  // More than are written at once.
  for (let id = 1001; id <= 1600; id++) nodes[id] = { ...nodes[1], uri: `${at}/${id}`, title: `Letter ${id}` };
  for (const id of [1, 4, 7]) nodes[id] = { ...nodes[id], resource: { ref: `${R}/resources/1` } };
  await readInto(await open(), folder);
  const before = new Map(linesOf(folder, 'archival_objects').map(({ uri, title }) => [uri, title]));
  const subjects = titlesOf(folder, 'subjects');
  nodes[4] = { ...nodes[4], title: 'Told anew' };
  nodes[10] = { ...nodes[10], title: 'Told by no list' };
  incumbent.mischief = (_request, response, url) => {
    if (!url.searchParams.has('all_ids') || !url.searchParams.has('modified_since')) return false;
    response.end(url.pathname === at ? '[4]' : '[]');
    return true;
  };
  incumbent.requests.length = 0;
  await updateFolder(await open(), folder);
  const idSets = incumbent.requests.flatMap((path) => {
    const url = new URL(path, incumbent.url);
    return url.searchParams.has('id_set') ? [`${url.pathname}: ${url.searchParams.get('id_set')}`] : [];
  });
  expect(idSets).toEqual([`${at}: 4`, `${at}: 1,7`]);
  const after = linesOf(folder, 'archival_objects');
  expect(after).toHaveLength(850);
  expect(new Map(after.map(({ uri, title }) => [uri, title]))).toEqual(before.set(`${at}/4`, 'Told anew'));
  expect(titlesOf(folder, 'subjects')).toEqual(subjects);
});

it('is refused for what was not read whole, or from elsewhere', async () => {
  await expect(updateFolder(await open(), join(files.folder, 'nothing'))).rejects.toThrow('not read to its end');
  const part = join(files.folder, 'part');
  await readInto(await open(), part, { since: 1 });
  await expect(updateFolder(await open(), part)).rejects.toThrow('holds only changes');
  const whole = join(files.folder, 'whole');
  await readInto(await open(), whole);
  const manifest = await readManifest(whole);
  if (manifest === null) throw new Error('nothing was read');
  await writeManifest(whole, { ...manifest, source: { ...manifest.source, url: 'http://elsewhere' } });
  await expect(updateFolder(await open(), whole)).rejects.toThrow('holds records of http://elsewhere');
});

it('reads of a list that could not be read what has changed since it was read last', async () => {
  const folder = join(files.folder, 'late');
  await readInto(await open(), folder);
  const manifest = await readManifest(folder);
  if (manifest === null) throw new Error('nothing was read');
  const started = '2020-01-01T00:00:00.000Z';
  await writeManifest(folder, { ...manifest, started });
  const subjects = holdings.lists['/subjects'] ?? {};
  subjects[6] = { ...subjects[6], title: 'Told anew' };
  // Tells of it whoever asks from before the first update on.
  let isFailing = true;
  incumbent.mischief = (_request, response, url) => {
    if (!url.searchParams.has('all_ids') || (!url.searchParams.has('modified_since') && url.pathname !== '/subjects'))
      return false;
    if (url.pathname === '/subjects' && isFailing) response.writeHead(500).end('<html>');
    else if (!url.searchParams.has('modified_since')) return false;
    else
      response.end(
        url.pathname === '/subjects' && Number(url.searchParams.get('modified_since')) * 1000 <= Date.parse(started)
          ? '[6]'
          : '[]',
      );
    return true;
  };
  await updateFolder(await open(), folder);
  expect(linesOf(folder, 'problems').map(({ uri }) => uri)).toContain('/subjects');
  isFailing = false;
  await updateFolder(await open(), folder);
  expect(titlesOf(folder, 'subjects')).toContainEqual(['/subjects/6', 'Told anew']);
  expect(linesOf(folder, 'problems').map(({ uri }) => uri)).not.toContain('/subjects');
  // From then on like the others.
  const asked = (): readonly string[] =>
    incumbent.requests.filter((path) => path.startsWith('/subjects?') && path.includes('modified_since'));
  incumbent.requests.length = 0;
  await updateFolder(await open(), folder);
  expect(
    asked().map((path) => Number(new URL(path, incumbent.url).searchParams.get('modified_since')) > 1_600_000_000),
  ).toEqual([true]);
});

it('asks the delete feed again from when it was read last, where it could not be or something else answered', async () => {
  const folder = join(files.folder, 'unfed');
  await readInto(await open(), folder);
  const manifest = await readManifest(folder);
  if (manifest === null) throw new Error('nothing was read');
  const started = '2020-01-01T00:00:00.000Z';
  await writeManifest(folder, { ...manifest, started, loaded: 'http://here' });
  const replies = ['{"status":"maintenance"}', '<html>', '"maintenance"'];
  const since: number[] = [];
  incumbent.mischief = (_request, response, url) => {
    if (url.pathname !== '/delete-feed') return false;
    since.push(Number(url.searchParams.get('modified_since')));
    const last = since.at(-1) ?? 0;
    const results = last * 1000 <= Date.parse(started) ? [`${R}/archival_objects/9001`] : [];
    response.end(replies.shift() ?? JSON.stringify({ first_page: 1, last_page: 1, this_page: 1, results }));
    return true;
  };
  for (let update = 0; update < 3; update++) {
    await updateFolder(await open(), folder);
    expect(linesOf(folder, 'problems').map(({ uri }) => uri)).toContain('/delete-feed');
  }
  await updateFolder(await open(), folder);
  expect(linesOf(folder, 'problems').map(({ uri }) => uri)).not.toContain('/delete-feed');
  expect(linesOf(join(folder, changesFolder), 'deleted').map(({ uri }) => uri)).toEqual([`${R}/archival_objects/9001`]);
  await updateFolder(await open(), folder);
  expect(since.map((second) => second > 1_600_000_000)).toEqual([false, false, false, false, true]);
  // A first reading knows as little.
  replies.push('<html>');
  const first = join(files.folder, 'unfed at first');
  await readInto(await open(), first);
  expect(await readManifest(first)).toMatchObject({ behind: { '/delete-feed': '1970-01-01T00:00:00.000Z' } });
});

it('loads what was gone in one update and back in the next', async () => {
  const folder = join(files.folder, 'back');
  await readInto(await open(), folder);
  const manifest = await readManifest(folder);
  if (manifest === null) throw new Error('nothing was read');
  await writeManifest(folder, { ...manifest, loaded: 'http://here' });
  const subjects = holdings.lists['/subjects'] ?? {};
  const away = subjects[9] ?? {};
  delete subjects[9];
  delete subjects[5];
  await updateFolder(await open(), folder);
  subjects[9] = away;
  await updateFolder(await open(), folder);
  const { lines } = await linesToLoad(folder, true);
  const loaded = Buffer.concat(await Array.fromAsync(lines())).toString();
  expect(loaded.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))).toEqual([
    { uri: '/subjects/5', at: null },
    expect.objectContaining({ uri: '/subjects/9', title: 'subject 9' }),
  ]);
});

it('tells the next load of what was deleted between its list and its reading', async () => {
  const folder = join(files.folder, 'between');
  await readInto(await open(), folder);
  const manifest = await readManifest(folder);
  if (manifest === null) throw new Error('nothing was read');
  await writeManifest(folder, { ...manifest, loaded: 'http://here' });
  const subjects = holdings.lists['/subjects'] ?? {};
  subjects[6] = { ...subjects[6], title: 'Told anew' };
  // Listed, and to be read anew; deleted before that.
  incumbent.mischief = (_request, _response, url) => {
    if (url.pathname !== '/subjects' || !url.searchParams.has('id_set') || subjects[9] === undefined) return false;
    delete subjects[9];
    holdings.replies['/delete-feed'] = { first_page: 1, last_page: 1, this_page: 1, results: ['/subjects/9'] };
    return false;
  };
  await updateFolder(await open(), folder);
  await updateFolder(await open(), folder);
  expect(linesOf(folder, 'subjects').map(({ uri }) => uri)).not.toContain('/subjects/9');
  expect(linesOf(join(folder, changesFolder), 'deleted').map(({ uri }) => uri)).toEqual(['/subjects/9']);
});

it('takes nothing for deleted where something else answers in place of a list', async () => {
  const folder = join(files.folder, 'elsewhere');
  await readInto(await open(), folder);
  const before = ['subjects', 'groups'].map((file) => titlesOf(folder, file));
  incumbent.mischief = (_request, response, url) => {
    if (url.pathname !== '/subjects' && url.pathname !== `${R}/groups`) return false;
    response.end('{"status":"maintenance"}');
    return true;
  };
  await updateFolder(await open(), folder);
  expect(['subjects', 'groups'].map((file) => titlesOf(folder, file))).toEqual(before);
  expect(linesOf(folder, 'problems').map(({ uri }) => uri)).toEqual(
    expect.arrayContaining(['/subjects', `${R}/groups`]),
  );
});

// A source with everything that a reading meets, as a whole: what is asked for, what stands in the folder, and what is told meanwhile.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, it } from 'vitest';
import { expectKept, keptText } from '#test/support/kept.ts';
import { readManifest, writeManifest } from '#migrate/folder.ts';
import type { ReadOptions } from '#migrate/read-into.ts';
import { readInto } from '#migrate/read-into.ts';
import type { Source } from '#migrate/source.ts';
import { openSource } from '#migrate/source.ts';
import { updateFolder } from '#migrate/update-folder.ts';
import type { Holdings, Incumbent } from '../cli/incumbent.ts';
import { smallHoldings, startIncumbent } from '../cli/incumbent.ts';
import { filesForTests } from '../cli/run-cli.ts';

const files = filesForTests();
const opened = new AsyncDisposableStack();
afterAll(() => opened.disposeAsync());
const impatient = { whenAway: 1, whenFailing: 1, firstWaitMs: 1, longestWaitMs: 2, longestAskedMs: 2, replyMs: 60_000 };
const R = '/repositories/2';

// One after the other, so that requests have one order.
const open = ({ url }: Incumbent): Promise<Source> =>
  openSource(
    { url, user: 'admin', password: 'secret' },
    { atOnce: 1, aSecond: 1000 },
    new AbortController().signal,
    impatient,
  );

function holdings(): Holdings {
  const small = smallHoldings('"ArchivesSpace (v3.3.1)"');
  const nodes = small.lists[`${R}/archival_objects`] ?? {};
  // A tree, of which a node moves later.
  for (const id of [1, 4, 7])
    nodes[id] = { ...nodes[id], resource: { ref: `${R}/resources/1` }, position: (id - 1) / 3 };
  return {
    ...small,
    lists: {
      ...small.lists,
      '/repositories/1/events': { 8: { uri: '/repositories/1/events/8' } },
      [`${R}/events`]: { 2: { uri: `${R}/events/2` }, 10: { uri: `${R}/events/10` } },
      [`${R}/jobs`]: { 3: { uri: `${R}/jobs/3` }, 4: { uri: `${R}/jobs/4` }, 5: { uri: `${R}/jobs/5` } },
    },
    replies: {
      ...small.replies,
      // Lists come bare or as a page, and settings as a record, a list of one, or of the other release's address.
      [`${R}/preferences`]: { first_page: 1, results: [{ uri: '/preferences/1', defaults: {} }] },
      '/repositories/1/preferences': [{ uri: '/preferences/1', defaults: {} }, { uri: '/preferences/2' }],
      '/oai_config': { uri: '/oai_config/1', oai_repository_name: 'A' },
      [`${R}/default_values/accession`]: { record_type: 'accession', defaults: { title: 'Untitled' } },
      [`${R}/required_fields/resource`]: [{ uri: `${R}/required_fields/resource`, subrecord_requirements: [] }],
      [`${R}/assessment_attribute_definitions`]: { definitions: [] },
      [`${R}/rde_templates`]: [{ uri: `${R}/rde_templates/1` }],
      // A group that is listed and gone; jobs with files whose names lead elsewhere, without a log, and whose files cannot be told.
      [`${R}/groups`]: [{ uri: `${R}/groups/7` }, { uri: `${R}/groups/8` }],
      [`${R}/jobs/3/output_files`]: [11, { id: '../12' }, null, { name: 'no id' }],
      [`${R}/jobs/3/12`]: Buffer.from('Where its name leads.'),
      [`${R}/jobs/4/output_files`]: { error: 'no list' },
      '/delete-feed': { first_page: 1, last_page: 2, this_page: 1, results: ['/subjects/7', `${R}/resources/9`] },
    },
  };
}

/** What is refused, hidden from lists, or no JSON. */
function misbehave(incumbent: Incumbent): void {
  incumbent.mischief = (_request, response, url) => {
    const ids = url.searchParams.get('id_set')?.split(',') ?? [];
    const refuse = (status: number, text: string): true => {
      response.writeHead(status).end(text);
      return true;
    };
    // One record that cannot be shown takes its page with it.
    if (ids.includes('19') || url.pathname === `${R}/archival_objects/19`) return refuse(500, '{"error":"broken"}');
    // Two that the list does not show: one is gone, the other hides.
    if (url.pathname === '/subjects' && ids.length > 0)
      return refuse(200, JSON.stringify([{ uri: '/subjects/9', title: 'subject 9' }]));
    if (url.pathname === '/subjects/5') return refuse(404, '{"error":"Subject not found"}');
    if (url.pathname === '/agents/software') return refuse(403, '{"error":"Access denied"}');
    if (url.pathname === '/container_profiles') return refuse(200, '<html>');
    if (url.pathname === `${R}/jobs/5/log`) return refuse(500, 'broken log');
    if (url.pathname === `${R}/jobs/5/output_files`) return refuse(400, '{"error":"no"}');
    if (url.pathname === '/delete-feed' && url.searchParams.get('page') === '2')
      return refuse(200, '{"last_page":2,"results":["/subjects/7","/subjects/8"]}');
    return false;
  };
}

/** All files below a folder by their paths; of long ones the ends, and addresses and times that are of the run as words. */
function heldIn(folder: string, incumbent: Incumbent): { readonly [path: string]: unknown } {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  return Object.fromEntries(
    paths.map((path) => {
      const text = readFileSync(path, 'latin1').replaceAll(incumbent.url, 'SOURCE');
      if (path.endsWith('manifest.json')) return [path.slice(folder.length + 1), JSON.parse(text)];
      const lines = text.split('\n');
      const shown = lines.length < 20 ? lines : [...lines.slice(0, 4), `… ${lines.length} lines`, ...lines.slice(-4)];
      return [path.slice(folder.length + 1), shown];
    }),
  );
}

/** Reads, with what was asked for meanwhile and what was told. */
async function whole(
  incumbent: Incumbent,
  folder: string,
  read: (source: Source, folder: string, options: ReadOptions) => Promise<unknown>,
): Promise<{ readonly [part: string]: unknown }> {
  const source = await open(incumbent);
  incumbent.requests.length = 0;
  const told: string[] = [];
  let seconds = Date.parse('2026-03-01T12:00:00Z') / 1000;
  const outcome = await read(source, folder, {
    now: () => new Date(seconds++ * 1000),
    onProgress: (file, done, total) => told.push(`${file} ${done} of ${total}`),
  });
  const text = JSON.stringify({ outcome, asked: incumbent.requests, told });
  // Of the ids of a page, the ends.
  const short = text
    .replaceAll(incumbent.url, 'SOURCE')
    .replaceAll(/id_set=(\d+)(?:%2C\d+)+%2C(\d+)/g, 'id_set=$1,…,$2');
  return { ...JSON.parse(short), folder: heldIn(folder, incumbent) };
}

it('is kept: all that there is, in an order in which links resolve, and what could not be read', async () => {
  const incumbent = opened.use(await startIncumbent(holdings()));
  misbehave(incumbent);
  const folder = join(files.folder, 'whole');
  await expectKept(keptText(await whole(incumbent, folder, readInto), 3), 'migrate/read.json');
});

it('is kept: what has changed since a second, without jobs', async () => {
  const incumbent = opened.use(await startIncumbent(holdings()));
  misbehave(incumbent);
  const folder = join(files.folder, 'since');
  const read = (source: Source, into: string, options: ReadOptions) =>
    readInto(source, into, { ...options, since: 1_760_000_000, withJobs: false });
  const { folder: _, ...outcome } = await whole(incumbent, folder, read);
  await expectKept(keptText(outcome, 3), 'migrate/read-since.json');
});

it('is kept: what an update of a folder that was loaded reads, and what it tells the next load', async () => {
  const held = holdings();
  const incumbent = opened.use(await startIncumbent(held));
  const folder = join(files.folder, 'updated');
  await whole(incumbent, folder, readInto);
  const manifest = await readManifest(folder);
  if (manifest === null) throw new Error('nothing was read');
  await writeManifest(folder, { ...manifest, loaded: 'http://here' });
  const nodes = held.lists[`${R}/archival_objects`] ?? {};
  nodes[7] = { ...nodes[7], title: 'Told anew' };
  const subjects = held.lists['/subjects'] ?? {};
  subjects[12] = { uri: '/subjects/12', title: 'New' };
  delete subjects[6];
  const config = held.replies['/config/enumerations'] as object[];
  config.push({ uri: '/config/enumerations/2', name: 'level', values: [] });
  delete held.replies[`${R}/default_values/accession`];
  misbehave(incumbent);
  const refuse = incumbent.mischief;
  // Lists tell what has changed, as they do in a source that is asked since a second.
  incumbent.mischief = (request, response, url) => {
    const changed: { readonly [at: string]: string } = { '/subjects': '[9,12]', [`${R}/archival_objects`]: '[7,10]' };
    if (!url.searchParams.has('all_ids') || !url.searchParams.has('modified_since'))
      return refuse(request, response, url);
    response.end(changed[url.pathname] ?? '[]');
    return true;
  };
  await expectKept(keptText(await whole(incumbent, folder, updateFolder), 3), 'migrate/updated.json');
});

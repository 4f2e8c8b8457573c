// Two sides compared, be they folders or services, whatever the order of their lines.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folderSide, serviceSide } from '../../../../apps/cli/migrate/sides.ts';
import type { Side } from '../../../../apps/cli/migrate/sides.ts';
import { openSource } from '#migrate/source.ts';
import type { Difference } from '../../../../apps/cli/migrate/compare.ts';
import { sortedRecords } from '#migrate/sorted-records.ts';
import { verify } from '../../../../apps/cli/migrate/verify.ts';
import { smallHoldings, startIncumbent } from '../incumbent.ts';
import { filesForTests } from '../run-cli.ts';

const files = filesForTests();

function folderOf(name: string, contents: { readonly [file: string]: readonly object[] }, more: object = {}): string {
  const folder = join(files.folder, name);
  mkdirSync(folder);
  const counts = Object.entries(contents).map(([file, { length }]) => [file, { records: length, complete: true }]);
  const manifest = {
    format: 1,
    source: { url: 'http://a', release: 'R-B', version: 'v4.1.1' },
    started: '2026-01-01T00:00:00Z',
    finished: '2026-01-01T01:00:00Z',
    since: null,
    files: Object.fromEntries(counts),
    ...more,
  };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  for (const [file, records] of Object.entries(contents))
    writeFileSync(join(folder, `${file}.ndjson`), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return folder;
}

async function differences(
  source: Side,
  here: Side,
): Promise<readonly [Awaited<ReturnType<typeof verify>>, Difference[]]> {
  const found: Difference[] = [];
  return [await verify(source, here, (difference) => found.push(difference)), found];
}

const subject = (id: number, title = `Subject ${id}`) => ({ uri: `/subjects/${id}`, title });

it('gives the records of a file in the order of their uris, the last line of each', async () => {
  const folder = folderOf('sorted', {
    subjects: [subject(10), subject(9, 'old'), { uri: '/oai_config' }, { uri: '/b/1' }, subject(9, 'new')],
  });
  const records = await Array.fromAsync(sortedRecords(join(folder, 'subjects.ndjson')));
  expect(records).toEqual([{ uri: '/b/1' }, { uri: '/oai_config' }, subject(9, 'new'), subject(10)]);
});

it('counts every list, and tells what is missing, more, different and unread', async () => {
  const source = folderOf('source', {
    subjects: [subject(1), subject(3), subject(2)],
    locations: [{ uri: '/locations/1' }],
    problems: [],
  });
  writeFileSync(
    join(source, 'problems.ndjson'),
    [8, 9, 10].map((id) => `{"uri":"/subjects/${id}","status":${id === 8 ? 500 : 404},"reason":"r${id}"}\n`).join(''),
  );
  writeFileSync(
    join(source, 'deleted.ndjson'),
    ['/subjects/9', '/subjects/2', '/subjects/11'].map((uri) => `{"uri":"${uri}","at":null}\n`).join(''),
  );
  const here = folderOf('here', {
    subjects: [subject(2), subject(3, 'Other'), subject(4)],
    agents_people: [{ uri: '/agents/people/1' }],
  });
  writeFileSync(join(here, 'deleted.ndjson'), '{"uri":"/subjects/9","at":null}\n');
  const [verdict, found] = await differences(await folderSide(source), await folderSide(here));
  expect(found).toEqual([
    { what: 'missing', uri: '/subjects/1' },
    { what: 'field', uri: '/subjects/3', path: 'title', source: 'Subject 3', here: 'Other' },
    { what: 'extra', uri: '/subjects/4' },
    { what: 'missing', uri: '/locations/1' },
    { what: 'extra', uri: '/agents/people/1' },
    { what: 'deleted', uri: '/subjects/11' },
    { what: 'unread', uri: '/subjects/8', side: 'source', reason: 'r8' },
    { what: 'unread', uri: '/subjects/10', side: 'source', reason: 'r10' },
  ]);
  expect(verdict).toMatchObject({
    same: false,
    lists: [
      { list: '/subjects', source: 3, here: 3, differing: 3 },
      { list: '/locations', source: 1, here: 0, differing: 1 },
      { list: '/agents/people', source: 0, here: 1, differing: 1 },
    ],
    differences: { missing: 2, field: 1, extra: 2, deleted: 1, unread: 2 },
    allowed: { 'the record was deleted in the source while that was read': 1 },
  });
});

it('takes a folder of changes for a part, and refuses one that is not read to its end', async () => {
  const part = await folderSide(folderOf('part', { subjects: [subject(2)] }, { since: 1 }));
  const here = await folderSide(folderOf('whole', { subjects: [subject(1), subject(2)] }));
  expect((await differences(part, here))[0].same).toBe(true);
  const gone = folderOf('gone', { subjects: [] }, { since: 1 });
  writeFileSync(join(gone, 'deleted.ndjson'), '{"uri":"/subjects/1","at":null}\n');
  expect((await differences(await folderSide(gone), here))[1]).toEqual([
    { what: 'extra', uri: '/subjects/1' },
    { what: 'deleted', uri: '/subjects/1' },
  ]);
  await expect(folderSide(folderOf('unfinished', {}, { finished: null }))).rejects.toThrow('not read to its end');
});

it('compares two services as they stand', async () => {
  const [one, other] = [smallHoldings('v4.1.1'), smallHoldings('v4.1.1')];
  delete one.lists['/subjects']?.[6];
  await using first = await startIncumbent(one);
  await using second = await startIncumbent(other);
  const side = async (url: string): Promise<Side> =>
    serviceSide(
      await openSource(
        { url, user: 'admin', password: 'x' },
        { atOnce: 2, aSecond: 1000 },
        new AbortController().signal,
      ),
    );
  const [verdict, found] = await differences(await side(first.url), await side(second.url));
  expect(found.filter(({ what }) => what !== 'unread')).toEqual([{ what: 'extra', uri: '/subjects/6' }]);
  expect(verdict.lists.find(({ list }) => list === '/repositories/2/archival_objects')).toMatchObject({
    source: 250,
    here: 250,
  });
});

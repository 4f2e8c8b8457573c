// A folder in whatever state: what is not there is read, and with an update also what has changed meanwhile.
import { afterAll, expect, it } from 'vitest';
import { readOrUpdate } from '#migrate/read-or-update.ts';
import { openSource } from '#migrate/source.ts';
import { smallHoldings, startIncumbent } from '../cli/incumbent.ts';
import { filesForTests } from '../cli/run-cli.ts';

const files = filesForTests();
const opened = new AsyncDisposableStack();
afterAll(() => opened.disposeAsync());

it('reads all once; without an update a whole folder asks for nothing, with one it hears what is new', async () => {
  const holdings = smallHoldings('ArchivesSpace (v4.1.1)');
  const incumbent = opened.use(await startIncumbent(holdings));
  const login = { url: incumbent.url, user: 'admin', password: 'secret' };
  const source = await openSource(login, { atOnce: 4, aSecond: 1000 }, new AbortController().signal);
  const folder = `${files.folder}/whole`;
  const first = await readOrUpdate(source, folder, false, {});
  expect(first.readNow).toBeGreaterThan(250);
  const asked = incumbent.requests.length;
  expect(await readOrUpdate(source, folder, false, {})).toMatchObject({ readNow: 0, manifest: first.manifest });
  expect(incumbent.requests.length).toBe(asked);
  holdings.lists['/subjects'] = {
    ...holdings.lists['/subjects'],
    12: { jsonmodel_type: 'subject', uri: '/subjects/12' },
  };
  const updated = await readOrUpdate(source, folder, true, {});
  expect(updated.manifest.files['subjects']).toEqual({ records: 4, complete: true });
});

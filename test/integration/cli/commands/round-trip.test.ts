// Moving in, whole: a service with records of every kind is read, loaded into an empty one, and compared with it, by the commands alone.
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkDatabase } from '#store/check/check-database.ts';
import { adminPassword, ok, startTestApi } from '#test/support/api.ts';
import { isLong } from '#test/support/long.ts';
import { fillWithStates } from '#test/support/make/records-in-states.ts';
import { fast, linesOf, manifestOf } from '../archive-of-all-kinds.ts';
import type { Run } from '../run-cli.ts';
import { filesForTests, runCli } from '../run-cli.ts';

const environment = { MUNIMENT_SLUGS: 'title', MUNIMENT_ARKS: 'true' };
const source = await startTestApi({ environment });
const target = await startTestApi({ environment });
afterAll(async () => {
  await source[Symbol.asyncDispose]();
  await target[Symbol.asyncDispose]();
});
const repository = await fillWithStates(source);
const files = filesForTests();

const run = (...args: readonly string[]): Promise<Run> =>
  runCli(args, {
    cwd: files.folder,
    env: {
      MUNIMENT_URL: target.url,
      MUNIMENT_PASSWORD: adminPassword,
      MUNIMENT_SOURCE_PASSWORD: adminPassword,
    },
  });

const folder = join(files.folder, `from-${source.url.replace('http://', '').replace(':', '-')}`);

describe('a move from a running service', () => {
  it('reads into a folder and loads it, in one command', async () => {
    const { code, stdout, stderr } = await run('migrate', '--from', source.url, ...fast);
    expect([code, stderr.includes('Nothing was loaded')], stderr).toEqual([0, false]);
    expect(stdout).toMatch(/^Loaded in \d/);
    expect(manifestOf(folder).finished).toEqual(expect.any(String));
    expect(linesOf(folder, 'problems')).toEqual([]);
  });

  it('is proved by verify, against the folder and against the source', async () => {
    // Against the source it is proved after its changes, too.
    await expectTheSame(...(isLong ? [folder, source.url] : [folder]));
  });

  it('loads the folder without the source, and refuses where there are records already', async () => {
    const again = await run('migrate', '--from', folder);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('There are records already')]);
  });

  it('takes only what the source has changed, when it is run again', async () => {
    const nothing = await run('migrate', '--from', source.url, ...fast);
    expect([nothing.code, nothing.stdout], nothing.stderr).toEqual([0, expect.stringContaining('Nothing has changed')]);
    await changeSource();
    const { code, stdout, stderr } = await run('migrate', '--from', source.url, ...fast);
    expect([code, stdout], stderr).toEqual([0, expect.stringMatching(/^Loaded in \d/)]);
    expect(stderr).toMatch(/Loaded: (\d|1\d|2\d) records/);
    await expectTheSame(source.url);
  });

  it('tells what was changed on both sides, and takes what the source has where that is asked for', async () => {
    const [subject, other] = [uriIn('subjects', 0), uriIn('locations', 0)];
    const made = await target.create('/locations', place('Made here'));
    for (const api of [source, target]) {
      ok(
        await api.post(subject, {
          ...(await api.get(subject)).json,
          scope_note: `changed in ${api === source ? 'A' : 'B'}`,
        }),
      );
    }
    ok(await target.post(other, { ...(await target.get(other)).json, building: 'Changed here alone' }));
    // The address of what was made here.
    const theirs = await source.create('/locations', place('Made there'));
    expect(theirs).toBe(made);
    const refused = await run('migrate', '--from', source.url, ...fast);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`${subject}: `);
    expect(refused.stderr).toContain('was changed here since it was loaded, and changed in the source');
    expect(refused.stderr).toMatch(
      new RegExp(`${made}: 'Made here.*' was made here, and the source has another record`),
    );
    expect(refused.stderr).not.toContain(other);
    ok(await target.ask(made, { method: 'DELETE' }));
    const taken = await run('migrate', '--from', source.url, '--overwrite', ...fast);
    expect([taken.code, taken.stdout], taken.stderr).toEqual([0, expect.stringMatching(/^Loaded in /)]);
    expect((await target.get(subject)).json.scope_note).toBe('changed in A');
    expect((await target.get(theirs)).json.title).toContain('Made there');
    const left = await run('verify', '--against', source.url, ...fast);
    expect(left.stdout).toContain(`${other} building: `);
  });
});

const place = (building: string) => ({ building, coordinate_1_label: 'Shelf', coordinate_1_indicator: '1' });
const uriIn = (file: string, index: number): string => linesOf(folder, file)[index].uri;

async function expectTheSame(...sides: readonly string[]): Promise<void> {
  for (const against of sides) {
    const { code, stdout } = await run('verify', '--against', against, ...fast);
    expect([code, stdout], stdout).toEqual([0, expect.stringContaining('Everything is the same.')]);
  }
  const resource = linesOf(folder, 'resources').find(({ id_0: id }) => id === 'TREE').uri;
  for (const part of ['tree/root', 'ordered_records'])
    expect((await target.get(`${resource}/${part}`)).json).toEqual((await source.get(`${resource}/${part}`)).json);
  expect((await checkDatabase(target.database)).filter(({ count }) => count > 0)).toEqual([]);
}

/** Changes of every sort in the source: fields, order, parents, what is new and gone, links, what is hidden, lists, groups. */
async function changeSource(): Promise<void> {
  const change = async (uri: string, change: object): Promise<void> =>
    void ok(await source.post(uri, { ...(await source.get(uri)).json, ...change }));
  const nodes = linesOf(folder, 'archival_objects');
  const titled = (title: string): any => nodes.find((node) => node.title === title);
  const tree = titled('A').resource;
  await change(titled('A').uri, { title: 'A, put right' });
  await change(titled('X').uri, { publish: true });
  // Y goes up to the first place of its parent's siblings, B with what is left below it goes altogether.
  ok(await source.post(`${titled('Y').uri}/parent?position=0`, undefined));
  await source.create(`${repository}/archival_objects`, { title: 'New', level: 'item', resource: tree, position: 1 });
  ok(await source.ask(titled('D').uri, { method: 'DELETE' }));
  ok(await source.ask(`${titled('C').uri}/suppressed?suppressed=false`, { method: 'POST' }));
  const people = linesOf(folder, 'agents_people');
  const one = people.find((agent) => agent.related_agents.length > 0).uri;
  await change(one, { related_agents: [] });
  const hidden = linesOf(folder, 'accessions').find(({ id_0: id }) => id === 'HIDDEN').uri;
  ok(await source.ask(`${hidden}/suppressed?suppressed=false`, { method: 'POST' }));
  const accession = await source.create(`${repository}/accessions`, { id_0: 'LATER', accession_date: '2021-01-01' });
  await change(accession, { title: 'Came later' });
  const digital = linesOf(folder, 'digital_objects')[0].uri;
  ok(await source.ask(digital, { method: 'DELETE' }));
  await change(uriIn('subjects', 0), { scope_note: 'Told anew' });
  const list = (await source.get('/config/enumerations')).json.find(
    (each: any) => each.name === 'accession_resource_type',
  );
  ok(await source.ask(`${list.enumeration_values[1].uri}/suppressed?suppressed=true`, { method: 'POST' }));
  const group = linesOf(folder, 'groups').find(({ uri }) => uri.startsWith(`${repository}/`)).uri;
  await change(`${group}?with_members=true`, { description: 'Others', grants_permissions: ['view_repository'] });
}

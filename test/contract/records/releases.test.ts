// What differs between the two releases, in a service of each (contract behaviour-records.md 8).
import { expect, it } from 'vitest';
import type { RecordService } from '#test/support/record-service.ts';
import { serveRecords } from '#test/support/record-service.ts';

const start = (release: string): Promise<RecordService> =>
  serveRecords({ worker: 'jobs', environment: { MUNIMENT_RELEASE: release } });
const [earlier, later] = await Promise.all([start('R-A'), start('R-B')]);

/** What both answer to the same, R-A first. */
const both = <T>(ask: (side: RecordService) => Promise<T>): Promise<readonly T[]> =>
  Promise.all([ask(earlier), ask(later)]);
const keysOf = (value: object): ReadonlySet<string> => new Set(Object.keys(value));
const person = { names: [{ primary_name: 'A', name_order: 'direct', sort_name_auto_generate: true }] };

it('merge requests are taken in both spellings, and answered in the own one', async () => {
  const answers = await both(async ({ api, records }) => {
    const [one, two, three] = [
      await records.make('subject'),
      await records.make('subject'),
      await records.make('subject'),
    ];
    const first = await api.post('/merge_requests/subject', {
      jsonmodel_type: 'merge_request',
      target: { ref: one },
      victims: [{ ref: two }],
    });
    const second = await api.post('/merge_requests/subject', {
      jsonmodel_type: 'merge_request',
      merge_destination: { ref: one },
      merge_candidates: [{ ref: three }],
    });
    return [first, second].map((reply) => [
      reply.status,
      keysOf(reply.json).has('target_uri'),
      keysOf(reply.json).has('merge_destination_uri'),
    ]);
  });
  expect(answers).toEqual([
    [
      [200, true, false],
      [200, true, false],
    ],
    [
      [200, false, true],
      [200, false, true],
    ],
  ]);
});

it('users show their source, and may edit themselves, in R-B', async () => {
  const shown = await both(async ({ api }) => {
    const { json } = await api.get('/users/current-user');
    return [keysOf(json).has('source'), json.permissions['_service'].includes('edit_user_self')];
  });
  expect(shown).toEqual([
    [false, false],
    [true, true],
  ]);
});

it('repositories have a position in R-B, wherever they are shown', async () => {
  const shown = await both(async ({ api, records }) => {
    const own = `/repositories/${records.repoId}`;
    const withOwn = await api.get(`${await records.make('resource')}?resolve[]=repository`);
    const [list, version, beside] = await Promise.all(
      ['/repositories', `${own}/history/0`, `/repositories/with_agent/${records.repoId}`].map((path) => api.get(path)),
    );
    const all = [withOwn.json.repository._resolved, list?.json[0], version?.json, beside?.json.repository];
    return all.map((each) => keysOf(each).has('position'));
  });
  expect(shown).toEqual([
    [false, false, false, false],
    [true, true, true, true],
  ]);
});

it('repositories have a position in R-B', async () => {
  expect(
    await both(async ({ api, records }) =>
      keysOf((await api.get(`/repositories/${records.repoId}`)).json).has('position'),
    ),
  ).toEqual([false, true]);
});

it('trees tell of suppression and digital instances in R-B', async () => {
  const keys = await both(async ({ api, records }) =>
    keysOf((await api.get(`${await records.make('resource')}/tree/root`)).json),
  );
  expect(keys.map((each) => [each.has('suppressed'), each.has('has_digital_instance')])).toEqual([
    [false, false],
    [true, true],
  ]);
});

it('revision statements have a uri in R-A', async () => {
  const shown = await both(
    async ({ api, records }) =>
      (await api.get(await records.make('resource', { revision_statements: [{ date: '1999', description: 'first' }] })))
        .json.revision_statements[0],
  );
  expect(shown.map((each) => keysOf(each).has('uri'))).toEqual([true, false]);
});

it('archival records stay out of the global repository, and agents of users stay, in both', async () => {
  const refused = await both(async ({ api }) => {
    const global = await api.post('/repositories/1/accessions', { id_0: 'G', accession_date: '2020-01-01' });
    const { agent_record: agent } = (await api.get('/users/current-user')).json;
    return [global.status, global.json.error, (await api.del(agent.ref)).status];
  });
  expect(refused).toEqual([
    [400, 'The global repository cannot contain archival records', 409],
    [400, 'The global repository cannot contain archival records', 409],
  ]);
});

it('a transfer answers by the keys of both', async () => {
  const answers = await both(async ({ api, records }) => {
    const other = await api.repository();
    await api.post('/agents/people', person);
    return keysOf(
      (
        await api.ask(`${await records.make('accession')}/transfer?target_repo=/repositories/${other}`, {
          method: 'POST',
        })
      ).json,
    );
  });
  for (const keys of answers) expect([keys.has('target'), keys.has('merge_destination')]).toEqual([true, true]);
});

it('linked agents may have a primary one, shown as a flag', async () => {
  const shown = await both(
    async ({ api, records }) =>
      (
        await api.get(
          await records.make('accession', {
            linked_agents: [{ ref: await records.make('agent_person'), role: 'creator', is_primary: true }],
          }),
        )
      ).json.linked_agents[0].is_primary,
  );
  expect(shown[1]).toBe(true);
});

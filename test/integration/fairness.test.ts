// Heavy work leaves room for interactive work: through an API and a single worker process as in production, moves in one tree go on while
// a long import fills another tree of the same repository. How fast they are is measured by test/bench/fairness.ts.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestDatabase } from '#test/support/database.ts';
import { createDatabase } from '#test/support/database.ts';
import { amount } from '#test/support/long.ts';
import type { Fair } from '#test/support/moves-beside-import.ts';
import { moveWhile, plantSiblings, startImport } from '#test/support/moves-beside-import.ts';
import type { Service } from '#test/support/service.ts';
import { ask, login, startService } from '#test/support/service.ts';

// So many that some twenty moves find room beside them, and ten on a machine that has other work.
const components = amount(9000, 20_000);
/** The ids of the components of the repository. */
const componentIds = async (): Promise<readonly unknown[]> => {
  const { body } = await ask(fair, `/repositories/${fair.repoId}/archival_objects?all_ids=true`, fair.session);
  return Object.values(body);
};
let own: TestDatabase;
let fair: Fair;
const running: Service[] = [];

beforeAll(async () => {
  own = await createDatabase();
  const settings = { DATABASE_URL: own.url, MUNIMENT_ADMIN_PASSWORD: 'admin' };
  // One worker with its defaults is what `npm start` has.
  for (const program of ['apps/api/main.ts', 'apps/worker/main.ts'])
    running.push(await startService(settings, program));
  const url = running[0]?.url ?? '';
  const session = await login({ url }, 'admin');
  const { body } = await ask({ url }, '/repositories', session, { repo_code: 'fair', name: 'Fair' });
  fair = { url, session, repoId: Number(body['id']) };
});
afterAll(async () => {
  for (const service of running.toReversed()) await service.stop();
  await own.drop();
});

test('moves in another tree of the repository finish while an import goes on, and none waits for its end', async () => {
  // A second try finds what the first has left.
  const before = await componentIds();
  const uris = await plantSiblings(fair, 200);
  await moveWhile(fair, uris, (done) => done < 10);
  const importing = startImport(fair, `long ${before.length}`, components);
  await importing.saving;
  const moves = await moveWhile(fair, uris, importing.isSaving, importing.isSaving, 1);
  await importing.ended;
  // A move that waited for the import would be the only one, and ended after it.
  expect(moves.filter((move) => move.endedWhileSaving).length).toBeGreaterThanOrEqual(10);
  // And they were done, each in its turn: the last one stands where it was put.
  const last = moves.at(-1);
  expect((await ask(fair, last?.uri ?? '', fair.session)).body).toMatchObject({ position: last?.position });
  // The import has lost nothing by it.
  expect(await componentIds()).toHaveLength(before.length + components + uris.length);
});

// One upgrade, tried: an earlier state is filled and pictured, this tree takes its data folder over, and everything is looked at again; the same with
// migrations that are killed; and the earlier program on what it left.
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { cleanEnvironment, launch, makeDataDir, projectRoot, startService } from '#test/support/service.ts';
import { clientOf, logIn } from './client.ts';
import type { Client } from './client.ts';
import type { Filled } from './fill.ts';
import { fill, indexed } from './fill.ts';
import type { Kill } from './interrupted.ts';
import { killInMigration } from './interrupted.ts';
import type { Difference } from './picture.ts';
import { compare, takePicture } from './picture.ts';

/** What came of it. `plain` and `killed`: differences after an upgrade, and after one that was killed; `faults`: what must not be, in words. */
export type Outcome = {
  readonly filled: Filled;
  readonly addresses: number;
  readonly migrations: { readonly before: number; readonly after: number };
  readonly plain: readonly Difference[];
  readonly killed: readonly Difference[];
  readonly kills: readonly Kill[];
  readonly refusal: string;
  readonly faults: readonly string[];
};

const adminPassword = 'the administrator of the trial';

/** Tries it. `root`: the earlier program, installed; `tell` hears what is done. */
export async function tryUpgrade(root: string, tell: (line: string) => void): Promise<Outcome> {
  const faults: string[] = [];
  await using data = makeDataDir();
  await using copy = makeDataDir();
  const settings = (folder: string) => ({ MUNIMENT_DATA_DIR: folder, MUNIMENT_ADMIN_PASSWORD: adminPassword });

  const [filled, before, session] = await (async () => {
    await using old = await startService(settings(data.path), 'apps/main.ts', root);
    const client = clientOf(old.url, await logIn(old.url, 'admin', adminPassword));
    tell('The earlier program runs and is filled.');
    const all = await fill(client);
    tell(`${all.made} records and other things are made; left out: ${all.leftOut.length}.`);
    return [all, await takePicture(client, all.people), client.session] as const;
  })();
  tell(`${before.size} addresses are kept; the earlier program has ended.`);
  execFileSync('cp', ['-a', join(data.path, 'pg'), copy.path]);

  const after = async (folder: string, what: string): Promise<readonly Difference[]> => {
    await using service = await startService(settings(folder));
    const client = clientOf(service.url, session);
    if ((await client.get('/users/current-user')).status !== 200) faults.push(`${what}: the session has ended`);
    await settled(client);
    const picture = await takePicture(client, filled.people);
    faults.push(...(await stillWorks(client, filled, what)));
    return [...compare(before, picture), ...checkData(folder)];
  };
  const plain = await after(data.path, 'upgraded');
  tell(`Upgraded: ${plain.length} differences.`);

  const kills = [
    await killInMigration(copy.path, 'first', false),
    await killInMigration(copy.path, 'last', true),
    await killInMigration(copy.path, 'last', false),
  ];
  for (const kill of kills) {
    tell(`Killed with ${kill.at - kill.before} migrations more than before, at: ${kill.waited ?? '(it had ended)'}`);
    if (kill.waited === null) faults.push(`nothing held the migrations up at ${kill.held}: none was killed`);
  }
  const killed = await after(copy.path, 'upgraded after kills');
  tell(`Upgraded after kills: ${killed.length} differences.`);

  const refused = await launch('apps/main.ts', settings(data.path), root);
  if ('url' in refused) {
    await refused.stop();
    faults.push('the earlier program starts on the newer database');
  }
  const refusal = 'url' in refused ? '' : (/could not start\. (.*)/.exec(refused.output)?.[1] ?? refused.output);
  const first = kills[0]?.before ?? 0;
  return {
    filled,
    addresses: before.size,
    migrations: { before: first, after: countOfMigrations() },
    plain,
    killed,
    kills,
    refusal,
    faults,
  };
}

const countOfMigrations = (): number =>
  execFileSync('ls', [join(projectRoot, 'db/migrations')], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean).length;

/** Waits until the index is that of this program: what an upgrade has made anew is shown when it is done. */
async function settled(client: Client): Promise<void> {
  await indexed(client);
  for (;;) {
    const { text } = await client.get('/system/index-status');
    const status = JSON.parse(text) as {
      readonly job?: { readonly status?: string } | null;
      readonly fans?: number;
      readonly due_bulk?: number;
    };
    const isBusy = status.job != null && ['queued', 'running'].includes(status.job.status ?? '');
    if (!isBusy && (status.fans ?? 0) === 0 && (status.due_bulk ?? 0) === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Whether what was there can be worked with: logins, and saves of what is read. */
async function stillWorks(client: Client, filled: Filled, what: string): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { name, password } of filled.people)
    await logIn(client.url, name, password).catch((error: unknown) => faults.push(`${what}: ${String(error)}`));
  for (const list of ['accessions', 'resources', 'archival_objects', 'digital_objects', 'top_containers', 'events']) {
    const ids = JSON.parse((await client.get(`/repositories/2/${list}?all_ids=true`)).text) as readonly number[];
    for (const id of ids) {
      const uri = `/repositories/2/${list}/${id}`;
      const now = JSON.parse((await client.get(uri)).text) as object & { readonly suppressed?: boolean };
      // What is suppressed is not edited (contract).
      if (now.suppressed === true) continue;
      await client.post(uri, now).catch((error: unknown) => faults.push(`${what}: a save of ${uri}: ${String(error)}`));
    }
  }
  return faults;
}

/** What `muniment check --data` finds wrong, as a difference from what should be. */
function checkData(folder: string): readonly Difference[] {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['scripts/start.mjs', 'apps/cli/main.ts', 'check', '--data'],
    { cwd: projectRoot, env: cleanEnvironment({ MUNIMENT_DATA_DIR: folder }), encoding: 'utf8' },
  );
  if (status === 0) return [];
  return [{ address: 'muniment check --data', sort: 'changed', at: `${stdout}${stderr}`.slice(0, 2000) }];
}

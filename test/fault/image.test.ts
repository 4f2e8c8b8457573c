// The image of deploy/Containerfile, built with Debian's buildah on a Debian 13 with Node 24 and run as a container would: process 1, nobody's number, no
// rights, a root that is read-only, a writable /tmp, secrets as files. MUNIMENT_IMAGE_BASE names the folder that image/make-base.sh made.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { withoutTemplate } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import type { Network } from '#test/support/network.ts';
import { openNetwork, targetOf } from '#test/support/network.ts';
import { freePort } from '#test/support/proxies.ts';
import { projectRoot } from '#test/support/service.ts';
import { bundlesOf } from '../../scripts/bundled.mjs';
import { buildImage, cannotBuild } from './image/build.ts';
import type { Image } from './image/build.ts';
import type { Contained } from './image/run.ts';
import { endOf, startIn } from './image/run.ts';

const missing = cannotBuild();
if (missing !== null) console.warn(`SKIPPED: the image is neither built nor run, since ${missing}.`);

const user = '10001';
const Locked = z.object({
  dev: z.boolean().optional(),
  optional: z.boolean().optional(),
  devOptional: z.boolean().optional(),
});
const Lock = z.object({ packages: z.record(z.string(), Locked) });

describe.skipIf(missing !== null)('the image', () => {
  const opened = new AsyncDisposableStack();
  let image: Image;
  let database: TestDatabase;
  let network: Network;
  beforeAll(async () => {
    image = opened.use(buildImage());
    database = opened.use(await withoutTemplate());
    network = opened.use(await openNetwork(targetOf(database.url)));
  });
  afterAll(async () => {
    await opened.disposeAsync();
  });

  const find = (...conditions: readonly string[]): string =>
    execFileSync('find', [image.root, '-xdev', ...conditions], { encoding: 'utf8', maxBuffer: 1 << 28 });

  /** The database by TCP, as it is reached from a container. */
  const databaseUrl = (): string => {
    const url = new URL(database.url);
    return `postgresql://${url.username}:${url.password}@127.0.0.1:${network.port}/${database.name}`;
  };
  const secrets = () => ({ database_url: databaseUrl(), admin_password: 'of the administrator' });
  const settings = {
    DATABASE_URL_FILE: '/run/secrets/database_url',
    MUNIMENT_ADMIN_PASSWORD_FILE: '/run/secrets/admin_password',
  };
  const start = (program: string | null, variables: { readonly [name: string]: string }): Contained =>
    startIn(image, program === null ? image.config.Cmd : [program], { ...settings, ...variables }, secrets());

  it('says who runs it, how it ends, how it is asked for its health, and what it is', () => {
    const { config } = image;
    expect([config.User, config.StopSignal, config.WorkingDir]).toEqual(['10001:10001', 'SIGTERM', '/opt/muniment']);
    expect(Object.keys(config.ExposedPorts ?? {}).toSorted()).toEqual(['8089/tcp', '9464/tcp']);
    expect(config.Env).toEqual(expect.arrayContaining(['NODE_ENV=production', 'HOST=0.0.0.0', 'PORT=8089']));
    expect(config.Healthcheck?.Test.slice(0, 3)).toEqual(['CMD', 'node', '-e']);
    expect(config.Labels['org.opencontainers.image.title']).toBe('Muniment');
  });

  it('has what runs and nothing besides, and nothing that its user may change', () => {
    const own = join(image.root, 'opt/muniment');
    const { packages } = Lock.parse(JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')));
    const isThere = (path: string): boolean => existsSync(join(own, path));
    for (const [path, { dev, optional, devOptional }] of Object.entries(packages)) {
      const isLeft = (dev ?? optional ?? devOptional) === true || path === 'node_modules/node';
      expect(isThere(path), path).toBe(!isLeft);
    }
    expect(isThere('node_modules/.bin')).toBe(false);
    expect(find('(', '-name', 'postgres', '-o', '-name', 'initdb', '-o', '-name', 'psql', ')', '-type', 'f')).toBe('');
    // What the build was given to reach the registry.
    expect(find('-name', '.npmrc', '-o', '-name', '.npm', '-o', '-name', 'trusted.pem')).toBe('');
    expect(find('-path', '*/opt/muniment/test', '-o', '-path', '*/opt/muniment/data')).toBe('');
    expect(find('(', '-uid', user, '-o', '-gid', user, ')')).toBe('');
    expect(find('-path', '*/opt/*', '-perm', '-o+w', '!', '-type', 'l')).toBe('');
    expect(statSync(own).uid).toBe(0);
  });

  it('has the programs in bundles of the very files that are in it', () => {
    expect(Object.keys(bundlesOf(join(image.root, 'opt/muniment')))).toEqual([
      'apps/api/main.ts',
      'apps/cli/main.ts',
      'apps/main.ts',
      'apps/worker/main.ts',
    ]);
  });

  it('migrates, and ends with 78 where the configuration is wrong', async () => {
    const wrong = await endOf(start('scripts/migrate.ts', { MUNIMENT_POOL_SIZE: 'many' }));
    expect([wrong.code, wrong.output]).toEqual([78, expect.stringContaining('MUNIMENT_POOL_SIZE')]);
    const right = await endOf(start('scripts/migrate.ts', {}));
    expect(right, right.output).toMatchObject({ code: 0 });
    expect(right.output).toContain('The database is that of this version');
  });

  it('serves and works, tells of its health by its own command, and ends when it is told', async () => {
    const [port, metrics, workers] = [await freePort(), await freePort(), await freePort()];
    const own = { HOST: '127.0.0.1', PORT: `${port}`, MUNIMENT_METRICS_PORT: `${metrics}` };
    const health = async (at: number): Promise<number | null> => {
      const [, ...command] = image.config.Healthcheck?.Test ?? [];
      return (await endOf(startIn(image, command, { MUNIMENT_METRICS_PORT: `${at}` }, {}, 'as it is'))).code;
    };
    expect(await health(metrics)).toBe(1);
    const api = start(null, own);
    const worker = start('apps/worker/main.ts', { MUNIMENT_METRICS_PORT: `${workers}` });
    try {
      const base = `http://127.0.0.1:${port}`;
      await expect.poll(async () => (await fetch(`${base}/health/ready`)).ok).toBe(true);
      await expect.poll(async () => (await health(metrics)) === 0 && (await health(workers)) === 0).toBe(true);

      const password = encodeURIComponent('of the administrator');
      const login = await fetch(`${base}/users/admin/login?password=${password}`, { method: 'POST' });
      const { session } = (await login.json()) as { session: string };
      const ask = async (path: string, json?: object): Promise<any> => {
        const headers = { 'X-Service-Session': session, 'content-type': 'application/json' };
        const reply = await fetch(`${base}${path}`, {
          headers,
          ...(json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }),
        });
        const text = await reply.text();
        if (!reply.ok) throw new Error(`${path}: ${reply.status} ${text}`);
        return JSON.parse(text);
      };
      const { id } = await ask('/repositories', { repo_code: 'IMG', name: 'In the image' });
      await ask(`/repositories/${id}/accessions`, {
        id_0: 'A1',
        title: 'Lighthouse keys',
        accession_date: '2000-01-01',
      });
      // A job of threads in the worker, and what follows the change log there.
      const { id: job } = await ask(`/repositories/${id}/jobs`, {
        job_type: 'report_job',
        job: { jsonmodel_type: 'report_job', report_type: 'accession_report', format: 'csv' },
      });
      await expect.poll(async () => (await ask(`/repositories/${id}/jobs/${job}`)).status === 'completed').toBe(true);
      await expect
        .poll(async () => (await ask(`/repositories/${id}/search?q=lighthouse&page=1`)).total_hits === 1)
        .toBe(true);
    } catch (error) {
      throw new Error(`${api.output()}\n${worker.output()}`, { cause: error });
    } finally {
      expect(await Promise.all([api.stop(), worker.stop()])).toEqual([0, 0]);
    }
    expect(await health(metrics)).toBe(1);
  });

  it('can write to /tmp alone, and has no rights', async () => {
    const run = async (...command: readonly string[]): Promise<string> =>
      (await endOf(startIn(image, command, {}, {}, 'as it is'))).output;
    const write = (path: string) => run('node', '-e', `fs.writeFileSync(${JSON.stringify(path)}, "x")`);
    expect(await write('/tmp/x')).toBe('');
    // Where anybody might write, were it not read-only.
    expect(await write('/var/tmp/x')).toMatch(/EROFS/);
    for (const path of ['/opt/muniment/x', '/etc/x', '/run/x', '/dev/x', '/x'])
      expect(await write(path), path).toMatch(/EROFS|EACCES/);
    // Devices are written to by everybody, and nothing else is in /dev.
    const found = await run(
      ...'find / ( -path /proc -o -path /dev ) -prune -o ( -type d -o -type f ) -writable -print'.split(' '),
    );
    expect(found.split('\n').filter((line) => line !== '' && !/^find: .*Permission denied$/.test(line))).toEqual([
      '/tmp',
    ]);
    const status = await run('grep', '-E', '^(Pid|Uid|Gid|Groups|Cap...|NoNewPrivs):', '/proc/self/status');
    const rights = Object.fromEntries(status.split('\n').map((line) => line.split(':').map((part) => part.trim())));
    const ids = [user, user, user, user].join('\t');
    expect(rights).toMatchObject({ Pid: '1', Uid: ids, Gid: ids, Groups: '', NoNewPrivs: '1' });
    for (const kind of ['Inh', 'Prm', 'Eff', 'Bnd', 'Amb']) expect(rights[`Cap${kind}`]).toMatch(/^0+$/);
  });
});

// deploy/observability against the service: what rules and dashboard name is shown by its processes, on ports of their own; rules are tried with
// promtool (Debian: prometheus), and each has its paragraph in docs/alerts.md.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { freePort } from '#test/support/proxies.ts';
import { projectRoot, startService } from '#test/support/service.ts';
import type { Service } from '#test/support/service.ts';

const folder = join(projectRoot, 'deploy/observability');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const hasPromtool = spawnSync('promtool', ['--version']).error === undefined;
if (!hasPromtool)
  console.warn('SKIPPED: no promtool (Debian: apt-get install prometheus), so the rules are not tried.');

const Rules = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
});
const rules = Rules.parse(parse(read('rules.yaml'))).groups.flatMap((group) => group.rules);
const Dashboard = z.object({ panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })) })) });
const panels = Dashboard.parse(JSON.parse(read('dashboard.json'))).panels.flatMap(({ targets }) =>
  targets.map(({ expr }) => expr),
);

const promtool = (args: readonly string[]): { readonly status: number | null; readonly output: string } => {
  const { status, stdout, stderr } = spawnSync('promtool', [...args], { cwd: folder, encoding: 'utf8' });
  return { status, output: stdout + stderr };
};

describe.skipIf(!hasPromtool)('the rules', () => {
  it('are rules, with the configuration that loads them', () => {
    expect(promtool(['check', 'config', 'prometheus.yaml'])).toMatchObject({ status: 0 });
  });

  it('fire where they should, and nowhere else', () => {
    const run = promtool(['test', 'rules', 'rules.test.yaml']);
    expect(run, run.output).toMatchObject({ status: 0 });
  });

  it('have panels beside them whose expressions are right', () => {
    const own = mkdtempSync(join(tmpdir(), 'muniment-panels-'));
    const file = join(own, 'panels.yaml');
    // JSON is YAML.
    const group = {
      name: 'panels',
      rules: panels.map((expr, n) => ({ record: `panel_${n}`, expr: expr.replaceAll('$__rate_interval', '5m') })),
    };
    writeFileSync(file, JSON.stringify({ groups: [group] }));
    const run = promtool(['check', 'rules', file]);
    rmSync(own, { recursive: true });
    expect(run, run.output).toMatchObject({ status: 0 });
  });
});

it('every alert is tried, and told of in the documentation', () => {
  const names = rules.map(({ alert }) => alert);
  const tests = z.object({ tests: z.array(z.object({ name: z.string() })) }).parse(parse(read('rules.test.yaml')));
  expect(tests.tests.map(({ name }) => name)).toEqual([...names, 'an installation that is well']);
  const page = readFileSync(join(projectRoot, 'docs/alerts.md'), 'utf8');
  expect([...page.matchAll(/^## (\w+)$/gm)].map(([, name]) => name)).toEqual(names);
  expect([...read('rules.yaml').matchAll(/docs\/alerts\.md#(\w+)/g)].map(([, anchor]) => anchor)).toEqual(
    names.map((name) => name.toLowerCase()),
  );
});

describe('the ports for numbers', () => {
  let database: TestDatabase;
  let service: Service;
  let port = 0;
  const shown = { api: '', worker: '' };
  const get = (path: string, at = port): Promise<Response> => fetch(`http://127.0.0.1:${at}${path}`);
  beforeAll(async () => {
    database = await createDatabase();
    port = await freePort();
    const own = mkdtempSync(join(tmpdir(), 'muniment-url-'));
    writeFileSync(join(own, 'url'), `${database.url}\n`);
    // The address of the database comes from a file: the worker beside the API must take it, too.
    service = await startService({
      DATABASE_URL_FILE: join(own, 'url'),
      MUNIMENT_DATA_DIR: join(own, 'data'),
      MUNIMENT_METRICS_PORT: String(port),
    });
    rmSync(own, { recursive: true });
    shown.api = await (await get('/metrics')).text();
    shown.worker = await (await get('/metrics', port + 1)).text();
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  it('show what rules and dashboard name', () => {
    const there = new Set([...`${shown.api}\n${shown.worker}`.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(namesOf));
    // Of Prometheus itself.
    there.add('up');
    const named = [...rules.map(({ expr }) => expr), ...panels].flatMap((expr) =>
      [...expr.replaceAll(/"[^"]*"|\bby \([^)]*\)/g, '').matchAll(/\b(?:muniment|process)_\w+|\bup\b/g)].map(String),
    );
    expect(named.length).toBeGreaterThan(50);
    expect([...new Set(named)].filter((name) => !there.has(name))).toEqual([]);
  });

  it('show nothing that is in neither rules nor dashboard', () => {
    const used = JSON.stringify([rules, panels]);
    const names = [...`${shown.api}\n${shown.worker}`.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name);
    expect(names.filter((name) => !used.includes(name))).toEqual([]);
  });

  it('tell of API and worker apart', async () => {
    expect(shown.worker).toMatch(/^muniment_worker_jobs \d+$/m);
    expect(shown.worker).not.toContain('muniment_request_duration_seconds');
    expect(shown.worker).toMatch(/^muniment_workers 1$/m);
    expect(shown.api).toMatch(/^muniment_database_size_bytes \d{7,}$/m);
    expect(shown.api).toMatch(/^muniment_database_wraparound_ratio \d[\d.e-]*$/m);
    // No backup is known: no age, rather than a wrong one.
    expect(shown.api).not.toMatch(/^muniment_backup_age_seconds/m);
    expect((await fetch(`${service.url}/version`)).status).toBe(200);
    expect(await (await get('/metrics')).text()).toMatch(
      /^muniment_area_duration_seconds_count\{area="system",class="2xx"\} 1$/m,
    );
  });

  it('tell of health, and of nothing else', async () => {
    for (const at of [port, port + 1]) {
      expect((await get('/health/live', at)).status).toBe(200);
      expect(await (await get('/health/ready', at)).text()).toBe('{"status":"ok"}\n');
      expect((await get('/', at)).status).toBe(404);
      expect((await get('/users', at)).status).toBe(404);
    }
  });
});

/** The names that samples of a metric have. */
function namesOf([, name = '', type]: RegExpMatchArray): readonly string[] {
  return type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
}

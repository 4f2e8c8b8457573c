// vitest's global set-up: one PostgreSQL cluster for the run, with the template database that every test file clones, and the bundles of the programs
// that tests start, as installations have them.
// DATABASE_URL_TEST names a server to use instead (its user must be allowed to create databases), TEMPLATE_TEST a template that is there.
import { mkdtempSync, chmodSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '#store/embedded/server.ts';
import { processState, stopServer } from '#store/embedded/postmaster.ts';
import { bundle } from '../../scripts/bundle.ts';
import { runSql } from './run-sql.ts';
import { projectRoot } from './service.ts';
import { prepareTemplate } from './template.ts';
import { testBundleFolder, testPrograms } from './test-programs.ts';
import { settle } from './settled.ts';
import { settledOf } from './template-names.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a database from which databases can be created. */
    clusterUrl: string;
    /** Name of the database to clone; settledOf has that of the other one. */
    templateName: string;
  }
}

/** Starts the cluster and makes the template; the returned function removes both. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await bundle(projectRoot);
  await bundle(projectRoot, testPrograms(), testBundleFolder);
  const external = process.env['DATABASE_URL_TEST'];
  const ready = process.env['TEMPLATE_TEST'];
  const cluster = external === undefined ? await startCluster() : { url: external, stop: async () => undefined };
  try {
    // Two runs may share an external server, so its template carries our pid.
    const templateName = ready ?? (external === undefined ? 'muniment_template' : `muniment_template_${process.pid}`);
    if (ready === undefined) await makeTemplate(cluster.url, templateName);
    project.provide('clusterUrl', cluster.url);
    project.provide('templateName', templateName);
    return async () => {
      if (external !== undefined && ready === undefined) await dropTemplate(external, templateName);
      await cluster.stop();
    };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/** A server of its own for tests, without care for the disk. */
export async function startCluster(): Promise<{ url: string; stop: () => Promise<void> }> {
  await removeAbandoned();
  const dataDir = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
  chmodSync(dataDir, 0o755); // Where we are root, the server is another user and must get in.
  const remove = (): void => rmSync(dataDir, { recursive: true, force: true });
  try {
    // Nothing here outlives the run, so nothing needs to reach the disk; synchronous_commit stays on, for it changes what others see.
    const settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'on', shared_buffers: '128MB' };
    const server = await startEmbedded({ dataDir, log: () => undefined, settings });
    return { url: server.url, stop: () => server.stop().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}

const prefix = 'muniment-test-';

/** A run that was killed leaves its server running and its folder in place. */
async function removeAbandoned(): Promise<void> {
  const abandoned = readdirSync(tmpdir()).filter((name) => {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split('-')[0]) : Number.NaN;
    return Number.isInteger(pid) && processState(pid) !== 'running';
  });
  await Promise.allSettled(
    abandoned.map(async (name) => {
      const folder = join(tmpdir(), name);
      await stopServer(join(folder, 'pg'), 5_000);
      rmSync(folder, { recursive: true, force: true });
    }),
  );
}

/** Makes the databases that test files clone, anew where there are some: as a start leaves it, and as its first worker does. */
export async function makeTemplate(adminUrl: string, name: string): Promise<void> {
  await dropTemplate(adminUrl, name);
  const settled = settledOf(name);
  for (const [own, origin, prepare] of [
    [name, 'template0', prepareTemplate],
    [settled, name, settle],
  ] as const) {
    await runSql(adminUrl, `CREATE DATABASE ${own} TEMPLATE ${origin}`);
    const url = new URL(adminUrl);
    url.pathname = `/${own}`;
    await prepare(url.href);
    // A forgotten connection would make every clone fail; this makes the one who opens it fail instead.
    await runSql(adminUrl, `ALTER DATABASE ${own} ALLOW_CONNECTIONS false`);
  }
}

async function dropTemplate(adminUrl: string, name: string): Promise<void> {
  for (const own of [name, settledOf(name)]) await runSql(adminUrl, `DROP DATABASE IF EXISTS ${own} WITH (FORCE)`);
}

// Trees of some size for benchmarks of what reads them whole, and processes of their own that do it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { kindNamed, parseUri } from '#domain/addresses.ts';
import { prepare } from '#domain/checking/prepare.ts';
import type { Database } from '#store/connection/database.ts';
import { createRecord } from '#store/records/writing/write.ts';
import { importBatch } from '../../apps/worker/batch-import/import.ts';
import { startThreads } from '../../apps/worker/threads/pool.ts';
import { findingAidBytes } from '../support/make/finding-aid.ts';
import { testContext } from '../support/make/prepare-context.ts';

/** What a program of `processes` says of what it was asked; a process of its own, so that its memory is that of the work. */
export async function inProcess<Took>(program: string, asked: object): Promise<Took> {
  const path = fileURLToPath(new URL(`processes/${program}.ts`, import.meta.url));
  const child = spawn(process.execPath, [path], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(asked));
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (code !== 0) throw new Error(`${program} ended with ${String(code)}`);
  return JSON.parse(said);
}

/** A resource with its tree. */
export type Planted = { readonly repoId: number; readonly id: number };

/** Makes a repository, and gives its id. */
export async function plantRepository(database: Database, code: string): Promise<number> {
  const kind = kindNamed('repository');
  const context = testContext({ parseUri });
  const body = prepare(kind, { repo_code: code, name: code }, context);
  const about = { actor: null, repoId: null, generatedValues: context.generatedValues };
  return (await database.transaction((tx) => createRecord(tx, kind, body, about))).id;
}

/** Imports a finding aid of so many components into a repository of its own. */
export async function plant(database: Database, count: number, name: string): Promise<Planted> {
  const repoId = await plantRepository(database, name);
  const threads = await startThreads(2);
  try {
    let saved = '';
    await database.transaction(
      (tx) =>
        importBatch(
          tx,
          {
            source: () => findingAidBytes(repoId, name, count),
            blockBytes: 500_000,
            repoId,
            actor: 'bench',
            migration: false,
            onSaved: async (_tx, ...pieces) => {
              for (const piece of pieces) if (piece.includes('/resources/')) saved = piece;
            },
          },
          { threads, signal: new AbortController().signal, progress: () => undefined },
        ),
      { statementTimeoutMs: 600_000 },
    );
    const uri = /"(\/repositories\/\d+\/resources\/\d+)"/.exec(saved)?.[1] ?? '';
    return { repoId, id: parseUri(uri)?.id ?? 0 };
  } finally {
    await threads.close();
  }
}

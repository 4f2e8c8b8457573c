// What a thread for exports runs: it reads the components of a run by connections of its own, and gives their text as bytes.
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';
import { workerData } from 'node:worker_threads';
import { transferableSymbol, valueSymbol } from 'piscina';
import { Database } from '#store/connection/database.ts';
import type { DatabaseSettings } from '#store/connection/database.ts';
import { readValueLabels } from '#store/enumerations/value-labels.ts';
import type { Resolving } from '#store/exports/read-tree.ts';
import { makeResolving } from '#store/exports/read-tree.ts';
import type { SlowStatement } from '#store/observing/slow-statements.ts';
import { watchSlowStatements } from '#store/observing/slow-statements.ts';
import type { ExportThreadSettings, FromExportThread } from './export-threads.ts';
import type { DocumentAsked, RunAsked } from './run-of-export.ts';
import { exportInParts, writeRunOf } from './run-of-export.ts';

// What started the thread.
const settings = workerData as ExportThreadSettings;
const label = readValueLabels();
const databases = new Map<string, Database>();
const slow: SlowStatement[] = [];

// The requests of people come first. Each thread has a priority of its own on Linux alone.
if (process.platform === 'linux') setPriority(Number(basename(readlinkSync('/proc/thread-self'))), settings.nice);

function databaseAt(from: Pick<DatabaseSettings, 'url' | 'isReplica'>): Database {
  const known = databases.get(from.url);
  if (known !== undefined) return known;
  const made = new Database({
    ...from,
    poolSize: 2,
    rowsChecked: settings.rowsChecked,
    applicationName: 'muniment-exports',
  });
  watchSlowStatements(made, { ...settings.slowStatements, tell: (one) => void slow.push(one) });
  databases.set(from.url, made);
  return made;
}

// Documents that are written at the same time take turns in a thread.
const mostResolving = 4;
const resolvings = new Map<number, Resolving>();

function resolvingOf({ number, resolve }: DocumentAsked): Resolving {
  const known = resolvings.get(number) ?? makeResolving(resolve);
  resolvings.delete(number);
  resolvings.set(number, known);
  for (const oldest of resolvings.keys()) {
    if (resolvings.size <= mostResolving) break;
    resolvings.delete(oldest);
  }
  return known;
}

const encoder = new TextEncoder();

/** Writes a run. Its bytes and hashes are handed over, not copied. */
async function write(asked: RunAsked): Promise<FromExportThread> {
  const { document } = asked;
  const parts = exportInParts(document.name).parts(
    { root: {}, deepest: document.deepest },
    { ...document.context, label },
    document.options,
  );
  const { text, ...run } = await writeRunOf(databaseAt(document.from), asked, resolvingOf(document), parts);
  const bytes = encoder.encode(text);
  const value: FromExportThread = { ...run, bytes, slow: slow.splice(0) };
  // Piscina's protocol for results with moved buffers.
  return Object.assign(value, { [transferableSymbol]: [bytes.buffer, run.ids.buffer], [valueSymbol]: { ...value } });
}

// Piscina takes the default export of its file.
export default write;

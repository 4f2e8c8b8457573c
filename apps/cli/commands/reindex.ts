// `muniment reindex`: builds the search index anew from the records, by a job of the server that is watched to its end.
import type { Command } from 'commander';
import { isObject, textOf } from '#domain/json.ts';
import type { ConnectionOptions } from '../credentials.ts';
import { addConnectionOptions } from '../credentials.ts';
import type { Call, Environment } from '../environment.ts';
import { withClient } from '../environment.ts';
import { followJob, jobFailure } from '../follow.ts';
import type { ProgressDisplay } from '../progress.ts';
import { showProgress } from '../progress.ts';
import { findRepository } from '../repository.ts';

type ReindexOptions = ConnectionOptions & {
  readonly repository?: string;
  readonly kind?: readonly string[];
  readonly rewrite?: boolean;
  readonly wait: boolean;
};

/** Adds the command. */
export function addReindex(program: Command, environment: Environment): void {
  const command = program
    .command('reindex')
    .summary('build the search index anew')
    .description(
      'Builds the search index anew from the records, of everything or of a part. Searching goes on meanwhile. Needs an administrator.',
    )
    .option('--repository <id or code>', 'of this repository alone')
    .option('--kind <kind...>', 'of these kinds of record alone, as archival_object')
    .option('--rewrite', 'write also what has not changed, for an index that is in doubt')
    .option('--no-wait', 'do not wait for the end')
    .addHelpText(
      'after',
      `
Examples:
  $ muniment reindex
  $ muniment reindex --repository MANUSCRIPTS --kind archival_object resource
  $ muniment reindex --no-wait`,
    );
  addConnectionOptions(command);
  command.action((options: ReindexOptions) => withClient(environment, options, (call) => reindex(call, options)));
}

async function reindex({ client, output, environment }: Call, options: ReindexOptions): Promise<void> {
  const repository = options.repository === undefined ? undefined : await findRepository(client, options.repository);
  const started = performance.now();
  const reply = await client.ask('/system/reindex', {
    method: 'POST',
    query: { repo_id: repository?.id, kind: options.kind, rewrite: options.rewrite },
  });
  const job = isObject(reply) && typeof reply['id'] === 'number' ? reply['id'] : null;
  const uri = isObject(reply) ? textOf(reply, 'uri') : undefined;
  if (!options.wait || uri === undefined)
    return output.result({ job, done: false }, [`The index is being built (job ${String(job)}).`]);
  const progress = showProgress(output);
  try {
    await watchJob({ client, output, environment }, uri, progress);
  } finally {
    progress.end();
  }
  const seconds = Math.round(performance.now() - started) / 1000;
  output.result({ job, done: true, seconds }, [`The index is built (${seconds.toFixed(1)} s).`]);
}

async function watchJob({ client, output, environment }: Call, uri: string, progress: ProgressDisplay): Promise<void> {
  const lines: string[] = [];
  const end = await followJob(client, uri, {
    signal: environment.signal,
    onLine: (line) => {
      lines.push(line);
      progress.line(line);
    },
    onProgress: ({ status, phase }) =>
      progress.update(
        status === 'queued' ? 'Waiting for the worker' : 'Indexing',
        phase?.done ?? null,
        phase?.total ?? null,
        { secondsLeft: phase?.secondsLeft ?? null },
      ),
  });
  if (end.status !== 'completed')
    throw jobFailure(`The index was not built: ${end.status}.`, end, output.isJson ? [] : lines);
}

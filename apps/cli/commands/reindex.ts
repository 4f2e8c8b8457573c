// `muniment reindex`: builds the search index anew from the records, followed to its end.
import type { Command } from 'commander';
import { isObject, textOf } from '#domain/json.ts';
import type { ConnectionOptions } from '../credentials.ts';
import { addConnectionOptions } from '../credentials.ts';
import type { Environment } from '../environment.ts';
import { withClient } from '../environment.ts';
import { CliFailure, exitCodes } from '../failure.ts';
import { followJob } from '../follow.ts';
import { showProgress } from '../progress.ts';
import { findRepository } from '../repository.ts';

type ReindexOptions = ConnectionOptions & { readonly repository?: string; readonly kind?: string };

/** Adds the command. */
export function addReindex(program: Command, environment: Environment): void {
  const command = program
    .command('reindex')
    .summary('build the search index anew')
    .description('Builds the search index anew from the records, of everything or of a part. Searches go on meanwhile.')
    .option('--repository <id or code>', 'of this repository alone')
    .option('--kind <kind>', 'of this kind of record alone, as archival_object')
    .addHelpText('after', `
Examples:
  $ muniment reindex
  $ muniment reindex --repository MANUSCRIPTS --kind archival_object`);
  addConnectionOptions(command);
  command.action((options: ReindexOptions) =>
    withClient(environment, options, async ({ client, output }) => {
      const repository = options.repository === undefined ? undefined : await findRepository(client, options.repository);
      const started = performance.now();
      const reply = await client.ask('/system/reindex', { method: 'POST', query: { repository: repository?.uri, kind: options.kind } });
      const job = isObject(reply) ? (textOf(reply, 'uri') ?? textOf(reply, 'job')) : undefined;
      if (job === undefined) throw new CliFailure('The service took the request but named no job.');
      const progress = showProgress(output);
      try {
        const end = await followJob(client, job, {
          signal: environment.signal,
          onState: (status) => progress.update(status === 'queued' ? 'Waiting for the worker' : 'Indexing', null, null),
          onLine: progress.line,
        });
        const seconds = Math.round(performance.now() - started) / 1000;
        progress.end();
        if (end.status !== 'completed') throw new CliFailure([`The index was not built: ${end.status}.`, ...end.errors.map((line) => `  ${line}`)].join('\n'), { details: { job, errors: [...end.errors] } });
        output.result({ job, status: end.status, seconds }, [`The index is built (${seconds.toFixed(1)} s).`]);
        return exitCodes.done;
      } finally {
        progress.end();
      }
    }),
  );
}

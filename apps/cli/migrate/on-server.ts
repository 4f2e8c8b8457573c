// `muniment migrate --server`: the service itself reads the source; the command starts the job and follows it, and the load that it makes.
import { isObject, objectOf, textOf } from '#domain/json.ts';
import type { Call } from '../environment.ts';
import { CliFailure } from '../failure.ts';
import { followOnScreen, jobFailure } from '../follow.ts';
import { count } from '../output.ts';
import { showProgress } from '../progress.ts';

/** What is asked of the service, as `POST /system/migrations` takes it. */
export type ServerMigration = {
  readonly source: string;
  readonly username: string;
  readonly password: string;
  readonly into_filled: boolean;
  readonly overwrite: boolean;
  readonly jobs: boolean;
  readonly requests_at_once: number;
  readonly requests_a_second: number;
};

/** Starts the migration and follows it to the end of its load. Ctrl-C ends the watching: the service goes on. */
export async function migrateOnServer(call: Call, asked: ServerMigration): Promise<void> {
  const { client, output } = call;
  const reply = await client.ask('/system/migrations', { method: 'POST', json: asked });
  const job = isObject(reply) ? textOf(reply, 'uri') : undefined;
  if (job === undefined) throw new CliFailure('The service took the migration but named no job.');
  output.note(`Reading ${asked.source}: ${job}`);
  await follow(call, job);
  const ended = await client.ask(job);
  const result = objectOf(isObject(ended) ? ended : {}, 'result') ?? {};
  const load = textOf(result, 'load');
  if (load !== undefined) {
    output.note(`Loading: ${load}`);
    await follow(call, load);
  }
  output.result({ job, ...result, load: load ?? null }, [
    load === undefined
      ? `Nothing has changed in ${asked.source} since it was loaded.`
      : `${count(Number(result['records'] ?? 0))} records of ${asked.source} are here (${load}).`,
    ...(Number(result['problems'] ?? 0) > 0
      ? [`${count(Number(result['problems']))} could not be read: problems.ndjson of ${job} says why.`]
      : []),
  ]);
}

async function follow({ client, output, environment }: Call, job: string): Promise<void> {
  const progress = showProgress(output);
  try {
    const lines: string[] = [];
    const end = await followOnScreen({ client, environment }, progress, job, 'Beginning', (line) => lines.push(line));
    if (end.status !== 'completed') throw jobFailure(`${job}: ${end.status}`, end, output.isJson ? [] : lines);
  } finally {
    progress.end();
  }
}

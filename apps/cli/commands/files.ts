// `muniment files`: where the service keeps files, and moving them into a storage beside the database or back.
import type { Command } from 'commander';
import { Option } from 'commander';
import { isObject, objectsOf, textOf } from '#domain/json.ts';
import { filePlaces } from '#domain/jobs/move-files.ts';
import type { ConnectionOptions } from '../credentials.ts';
import { addConnectionOptions } from '../credentials.ts';
import type { Call, Environment } from '../environment.ts';
import { withClient } from '../environment.ts';
import { CliFailure } from '../failure.ts';
import { followOnScreen, jobFailure } from '../follow.ts';
import { printable, size, table } from '../output.ts';
import { showProgress } from '../progress.ts';

type MoveOptions = ConnectionOptions & { readonly to: (typeof filePlaces)[number]; readonly wait: boolean };

/** Adds the command. */
export function addFiles(program: Command, environment: Environment): void {
  const files = program
    .command('files')
    .summary('tell where files are kept, and move them')
    .description(
      'Tells how many files (uploads, files of jobs) are in the database and in a storage beside it (MUNIMENT_FILES_URL). Needs an administrator.',
    )
    .addHelpText(
      'after',
      `
Examples:
  $ muniment files
  $ muniment files move --to s3
  $ muniment files move --to database --no-wait`,
    );
  addConnectionOptions(files);
  files.action((options: ConnectionOptions) => withClient(environment, options, showPlaces));
  const move = files
    .command('move')
    .summary('move all files to one place')
    .description(
      'Moves every file that is elsewhere, by a job of the server that is watched to its end. Files are read and written meanwhile; a job that is cut off goes on where it was.',
    )
    .addOption(new Option('--to <place>', 'where all are to be').choices([...filePlaces]).makeOptionMandatory())
    .option('--no-wait', 'do not wait for the end');
  addConnectionOptions(move);
  move.action((_options: unknown, command: Command) => {
    const options = command.optsWithGlobals<MoveOptions>();
    return withClient(environment, options, (call) => moveFiles(call, options));
  });
}

async function showPlaces({ client, output }: Call): Promise<void> {
  const reply = await client.ask('/system/files');
  if (!isObject(reply)) throw new CliFailure('The service does not tell where its files are.');
  const rows = objectsOf(reply, 'places').map((place) => [
    printable(textOf(place, 'storage') ?? 'database'),
    String(place['files']),
    size(Number(place['bytes'])),
  ]);
  output.result(reply, [
    ...(rows.length === 0 ? ['There are no files.'] : table(['PLACE', 'FILES', 'SIZE'], rows)),
    `New files go into ${reply['new_files'] === 'storage' ? printable(textOf(reply, 'storage') ?? '') : 'the database'}.`,
  ]);
}

async function moveFiles(call: Call, { to, wait }: MoveOptions): Promise<void> {
  const { client, output } = call;
  const reply = await client.ask('/system/files/move', { method: 'POST', query: { to } });
  const job = isObject(reply) && typeof reply['id'] === 'number' ? reply['id'] : null;
  const uri = isObject(reply) ? textOf(reply, 'uri') : undefined;
  if (!wait || uri === undefined)
    return output.result({ job, done: false }, [`The files are being moved (job ${String(job)}).`]);
  const progress = showProgress(output);
  const lines: string[] = [];
  const end = await followOnScreen(call, progress, uri, 'Moving files', (line) => lines.push(line)).finally(() =>
    progress.end(),
  );
  if (end.status !== 'completed')
    throw jobFailure(`Not all files were moved: ${end.status}.`, end, output.isJson ? [] : lines);
  output.result({ job, done: true }, ['The files are moved.']);
}

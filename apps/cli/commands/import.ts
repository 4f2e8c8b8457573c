// `muniment import`: finding aids and batches of records from files, one after the other, with what became of each.
import type { Command } from 'commander';
import { isObject, textOf } from '#domain/json.ts';
import type { Client } from '../client.ts';
import type { ConnectionOptions } from '../credentials.ts';
import { addConnectionOptions } from '../credentials.ts';
import type { Call, Environment } from '../environment.ts';
import { withClient } from '../environment.ts';
import {
  CliFailure,
  Interrupted,
  NotLoggedIn,
  Unreachable,
  exitCodes,
  toCliFailure,
  toJson,
  usage,
} from '../failure.ts';
import type { FolderOptions } from './import-folder.ts';
import { importWithReport } from './import-folder.ts';
import { positive } from './jobs.ts';
import { detectType, listFiles } from '../import/files.ts';
import type { ImportFile } from '../import/files.ts';
import type { FileOutcome } from '../import/import-file.ts';
import { importFile } from '../import/import-file.ts';
import { wordsOf } from '../import/tally.ts';
import { count, printable, size } from '../output.ts';
import type { ProgressDisplay } from '../progress.ts';
import { showProgress } from '../progress.ts';
import type { Repository } from '../repository.ts';
import { findOrCreateRepository, findRepository } from '../repository.ts';

type ImportOptions = ConnectionOptions &
  FolderOptions & {
    readonly repository?: string;
    readonly createRepository?: string;
    readonly type?: string;
    readonly migration?: boolean;
    readonly stop?: boolean;
  };

/** Adds the command. */
export function addImport(program: Command, environment: Environment): void {
  const command = program
    .command('import')
    .summary('import finding aids and records from files')
    .description(
      'Imports files: EAD and the other formats of the service, or JSON arrays of records. What a file is shows in its beginning; --type overrules that. Each file is stored as a whole or not at all.',
    )
    .argument('<file...>', 'files, or folders whose .xml and .json files are taken')
    .option('--repository <id or code>', 'the repository to import into')
    .option('--create-repository <code>', 'the same, and make it where there is none of this code')
    .option(
      '--type <type>',
      'what the files are: json, or an import type of the service (ead_xml, eac_xml, marcxml, accession_csv, …)',
    )
    .option('--migration', 'of JSON arrays: siblings keep the order of the file, their `position` is not looked at')
    .option(
      '--only-validate',
      'find out whether the files could be imported, and what would be left out; nothing is stored (not of JSON arrays)',
    )
    .option(
      '--report <file>',
      'of one folder: look for identifiers that clash first, import what was not imported before, and write an HTML report of all of it',
    )
    .option('--state <file>', 'with --report: what was imported (otherwise .muniment-import.ndjson in the folder)')
    .option('--leave-clashing', 'with --report: import the other files where identifiers clash')
    .option('--repositories-by-folder', 'with --report: each folder in it is the code of a repository')
    .option('--at-once <number>', 'with --report: repositories that are imported into beside each other', positive, 4)
    .option('--stop', 'end at the first file that fails, in place of going on with the next')
    .addHelpText(
      'after',
      `
Examples:
  $ muniment import finding-aid.xml --repository MANUSCRIPTS
  $ muniment import finding-aids/ --create-repository MANUSCRIPTS
  $ muniment import archive/ --repository MANUSCRIPTS --report import.html
  $ muniment import records.json --repository 2 --json
  $ muniment import accessions.csv --type accession_csv --repository 2`,
    );
  addConnectionOptions(command);
  command.action((names: readonly string[], options: ImportOptions) =>
    withClient(environment, options, async (call) => {
      // A variable that nobody set, which would be the current folder.
      if (names.includes('')) throw usage('The name of a file or folder is empty.');
      const { report } = options;
      return report === undefined
        ? importAll(call, names, options)
        : importReported(call, names, { ...options, report });
    }),
  );
}

/** A folder as a whole, with a report. */
async function importReported(
  call: Call,
  names: readonly string[],
  options: ImportOptions & { readonly report: string },
): Promise<number> {
  if (options.type !== undefined || options.migration === true || options.stop === true)
    throw usage('--report goes without --type, --migration and --stop.');
  const isByFolder = options.repositoriesByFolder === true;
  if (isByFolder && (options.repository ?? options.createRepository) !== undefined)
    throw usage('Give --repository or --repositories-by-folder, not both.');
  return importWithReport(call, names, options, isByFolder ? null : await chooseRepository(call, options));
}

async function importAll(call: Call, names: readonly string[], options: ImportOptions): Promise<number> {
  const { client, output, environment } = call;
  const files = await listFiles(names, environment.cwd, options.type);
  const repository = await chooseRepository(call, options);
  const progress = showProgress(output);
  const started = performance.now();
  const outcomes: FileOutcome[] = [];
  let ending: CliFailure | null = null;
  for (const [index, file] of files.entries()) {
    progress.line(
      `${files.length === 1 ? '' : `${index + 1} of ${files.length}: `}${file.name} (${size(file.sizeBytes)})`,
    );
    const { outcome, failure } = await importOne(file);
    outcomes.push(outcome);
    // What Ctrl-C left behind is said at the end.
    if (!(failure instanceof Interrupted)) show(progress, outcome, repository);
    ending = failure;
    if (failure !== null || (!outcome.ok && options.stop === true)) break;
  }
  progress.end();
  const failed = outcomes.filter(({ ok }) => !ok).length;
  const left = files.length - outcomes.length;
  const seconds = Math.round(performance.now() - started) / 1000;
  const records = outcomes.reduce((sum, outcome) => sum + outcome.records, 0);
  const summary = `${count(outcomes.length - failed)} of ${count(files.length)} files imported into ${repository.code}, ${failed} failed, ${left} not tried: ${count(records)} records in ${seconds.toFixed(1)} s`;
  output.result(
    {
      ok: failed === 0 && left === 0,
      repository: repository.uri,
      files: outcomes,
      records,
      seconds,
      not_tried: left,
      ...(ending === null ? {} : toJson(ending)),
    },
    files.length === 1 ? outcomes.flatMap((outcome) => outcome.roots) : [summary],
  );
  if (ending instanceof Interrupted) output.note(ending.message);
  if (ending instanceof Interrupted) return exitCodes.interrupted;
  return failed === 0 && left === 0 ? exitCodes.done : exitCodes.failed;

  async function importOne(
    file: ImportFile,
  ): Promise<{ readonly outcome: FileOutcome; readonly failure: CliFailure | null }> {
    let type: string | null = options.type ?? null;
    try {
      type ??= await detectType(file);
      if (type === 'json' && options.onlyValidate === true)
        throw new CliFailure(`${file.name} is a JSON array of records; --only-validate is for files of a format.`);
      const outcome = await importFile({
        client,
        repositoryUri: repository.uri,
        file,
        type,
        migration: options.migration === true,
        onlyValidate: options.onlyValidate === true,
        progress,
        signal: environment.signal,
      });
      return { outcome, failure: null };
    } catch (error) {
      const failure = toCliFailure(error);
      const stored = isUntold(failure) ? null : false;
      const outcome = {
        file: file.name,
        type,
        ok: false,
        stored,
        job: null,
        roots: [],
        counts: {},
        records: 0,
        seconds: 0,
        errors: failure.message.split('\n').map((line) => line.trim()),
        left_out: [],
        left_out_total: 0,
      };
      // Where the service is gone or does not let us in, the next file would fail in the same way.
      const isFinal =
        failure instanceof Interrupted ||
        failure instanceof Unreachable ||
        failure instanceof NotLoggedIn ||
        failure.status === 403;
      return { outcome, failure: isFinal ? failure : null };
    }
  }
}

/** Whether the service may have taken the file all the same: nobody heard its answer, or a proxy did not. */
const isUntold = (failure: CliFailure): boolean =>
  failure instanceof Unreachable || failure instanceof Interrupted || failure.status === 502 || failure.status === 504;

async function chooseRepository({ client, output }: Call, options: ImportOptions): Promise<Repository> {
  const { repository: named, createRepository: code } = options;
  if (named !== undefined && code !== undefined) throw usage('Give --repository or --create-repository, not both.');
  const wanted = named ?? code;
  if (wanted === undefined)
    throw usage('Which repository? Give --repository <id or code>, or --create-repository <code> to make one.');
  await checkType(client, options.type);
  if (code === undefined) return findRepository(client, wanted);
  const { repository, isNew } = await findOrCreateRepository(client, wanted);
  if (isNew) output.note(`Made repository ${repository.code}: ${repository.uri}`);
  return repository;
}

/** Refuses a type before anything is made or sent: the service would make a job of it that fails. The types of one repository are those of all. */
async function checkType(client: Client, type: string | undefined): Promise<void> {
  if (type === undefined || type === 'json') return;
  const reply = await client.ask('/repositories/1/jobs/import_types');
  const names = Array.isArray(reply) ? reply.filter(isObject).map((entry) => textOf(entry, 'name') ?? '') : [];
  if (!names.includes(type))
    throw usage(`There is no import type ${type}; there are: ${['json', ...names].join(', ')}.`);
}

// The rest is in the log of the job and in the JSON.
const leftOutShown = 5;

function show(progress: ProgressDisplay, outcome: FileOutcome, repository: Repository): void {
  if (!outcome.ok) {
    progress.line(
      `  failed${outcome.job === null ? '' : ` (${outcome.job})`}${outcome.stored === false ? ': nothing of this file is stored' : ''}`,
    );
    for (const line of outcome.errors) progress.line(`    ${printable(line)}`);
    return;
  }
  if (outcome.stored === false) {
    progress.line('  can be imported; nothing is stored');
    return showLeftOut(progress, outcome);
  }
  const rate = outcome.seconds === 0 ? '' : `, ${count(Math.round(outcome.records / outcome.seconds))} a second`;
  progress.line(
    `  imported into ${repository.code}: ${outcome.records === 0 ? 'no records' : wordsOf(outcome.counts)}`,
  );
  progress.line(
    `  ${count(outcome.records)} record${outcome.records === 1 ? '' : 's'} in ${outcome.seconds.toFixed(1)} s${rate}`,
  );
  showLeftOut(progress, outcome);
}

function showLeftOut(progress: ProgressDisplay, { left_out: leftOut, left_out_total: total, job }: FileOutcome): void {
  if (leftOut.length === 0) return;
  progress.line(`  left out, for want of a place in the records: ${count(total)}`);
  for (const line of leftOut.slice(0, leftOutShown)) progress.line(`    ${printable(line)}`);
  if (total > leftOutShown) progress.line(`    … all of them: muniment jobs --follow ${job ?? ''}`);
}

// `muniment verify`: the proof that this service holds what a source holds.
import type { WriteStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open as openFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { JsonObject } from '#domain/json.ts';
import type { ConnectionOptions } from '../credentials.ts';
import { addConnectionOptions, readCredentials } from '../credentials.ts';
import type { Environment } from '../environment.ts';
import { runCommand } from '../environment.ts';
import { CliFailure, exitCodes } from '../failure.ts';
import type { Output } from '../output.ts';
import { count, printable, table } from '../output.ts';
import { showProgress } from '../progress.ts';
import { addPoliteness, isUrl, sourcePassword, sourceUrl } from '../migrate/run-reading.ts';
import type { Side } from '../migrate/sides.ts';
import { folderSide, serviceSide } from '../migrate/sides.ts';
import type { Source } from '#migrate/source.ts';
import { openSource } from '#migrate/source.ts';
import type { Difference } from '../migrate/compare.ts';
import type { Verdict } from '../migrate/verify.ts';
import { verify } from '../migrate/verify.ts';
import { writeVerifyReport } from '../migrate/verify-html.ts';

type VerifyOptions = ConnectionOptions & {
  readonly against: string;
  readonly sourceUser: string;
  readonly sourcePasswordFile?: string;
  readonly report?: string;
  readonly html?: string;
  readonly sample: number;
  readonly requestsAtOnce: number;
  readonly requestsASecond: number;
};

// What the terminal shows; all of them are in the report.
const mostShown = 100;
// What a page shows: more of them nobody reads there.
const mostOnPage = 5000;

/** Adds the command. */
export function addVerify(program: Command, environment: Environment): void {
  const command = program
    .command('verify')
    .summary('compare all records with a source')
    .description(
      'Compares all records of the service with those of a source: how many of each kind in each repository, every field, the order in every tree, and of a sample finding aids, harvesting and searches. Exit code 1 where anything differs that should not.',
    )
    .requiredOption('--against <url or folder>', 'the source: a running service, or a folder that was read from one')
    .option('--source-user <name>', 'a user of the source, where it is a service', 'admin')
    .option(
      '--source-password-file <file>',
      'file with its password (otherwise MUNIMENT_SOURCE_PASSWORD, or it is asked for)',
    )
    .option(
      '--report <file>',
      'write every difference into this file, a JSON object a line, and the verdict in the last one',
    )
    .option('--html <file>', 'write a report as a page of HTML into this file')
    .option(
      '--sample <number>',
      'finding aids, archival objects as harvesters get them, and twice as many searches, to compare where the source is a service; 0: none',
      notNegative,
      20,
    )
    .addHelpText(
      'after',
      `
Examples:
  $ muniment verify --against archive
  $ muniment verify --against https://archives.example.org/api --report differences.ndjson --html differences.html`,
    );
  addConnectionOptions(command);
  addPoliteness(command);
  command.action((options: VerifyOptions) =>
    runCommand(environment, options.json === true, (output) => runVerify(environment, output, options)),
  );
}

async function runVerify(environment: Environment, output: Output, options: VerifyOptions): Promise<number> {
  const politeness = { atOnce: options.requestsAtOnce, aSecond: options.requestsASecond };
  const opened: Source[] = [];
  const open = async (login: Parameters<typeof openSource>[0], limits = politeness): Promise<Side> => {
    const source = await openSource(login, limits, environment.signal);
    opened.push(source);
    return serviceSide(source);
  };
  const progress = showProgress(output);
  // Both at once: a comparison takes hours, and a wrong name would lose what it found. What an earlier run wrote there stays until there is something to compare.
  const reportFile = await openForReport(environment, options.report);
  const page = await openForReport(environment, options.html);
  let report: WriteStream | null = null;
  const shown: Difference[] = [];
  const paged: Difference[] = [];
  try {
    const source = isUrl(options.against)
      ? await open(await sourceLogin(environment, options))
      : await folderSide(resolve(environment.cwd, options.against));
    // The service itself limits what it is asked; only the source is spared.
    const here = await open(readCredentials(options, environment), { atOnce: politeness.atOnce, aSecond: 1000 });
    report = reportFile === null ? null : (await emptied(reportFile)).createWriteStream();
    // It is told with the next difference, or at the end.
    report?.on('error', () => undefined);
    const verdict = await verify(
      source,
      here,
      (difference) => {
        if (report?.errored != null) throw notWritten(options.report, report.errored);
        if (shown.length < mostShown) shown.push(difference);
        if (paged.length < mostOnPage) paged.push(difference);
        report?.write(`${JSON.stringify(difference)}\n`);
      },
      (file, done) => progress.update(file.replaceAll('_', ' '), done, null),
      { documents: options.sample, searches: options.sample * 2 },
    );
    report?.write(`${JSON.stringify({ what: 'verdict', ...verdict })}\n`);
    progress.end();
    if (page !== null)
      await (await emptied(page)).writeFile(writeVerifyReport({ verdict, differences: paged, wordsOf: lineOf }));
    output.result({ ...verdict, shown } as unknown as JsonObject, linesOf(verdict, shown, options.report));
    // The verdict is told already: it is not lost with its file.
    if (report !== null)
      await finished(report.end()).catch((error: unknown) => {
        throw notWritten(options.report, error);
      });
    return verdict.same ? exitCodes.done : exitCodes.failed;
  } finally {
    progress.end();
    // What was found until then is kept where the comparison was cut off; why it was is told already.
    if (report !== null) await finished(report.end()).catch(() => undefined);
    else await reportFile?.close();
    await page?.close();
    for (const source of opened) await source.close();
  }
}

/** Opens a file to write to at the end or as it goes, which shows at once whether it can be; what is in it stays until `emptied`. */
async function openForReport({ cwd }: Environment, name: string | undefined): Promise<FileHandle | null> {
  return name === undefined ? null : openFile(resolve(cwd, name), 'a');
}

/** The same file without what was in it; a pipe or a device has nothing to lose. */
async function emptied(file: FileHandle): Promise<FileHandle> {
  if ((await file.stat()).isFile()) await file.truncate();
  return file;
}

const notWritten = (name: string | undefined, error: unknown): CliFailure =>
  new CliFailure(`${name ?? ''} cannot be written: ${error instanceof Error ? error.message : String(error)}.`, {
    cause: error,
  });

async function sourceLogin(environment: Environment, options: VerifyOptions) {
  const url = sourceUrl(options.against);
  const user = options.sourceUser;
  return {
    url,
    user,
    password: await sourcePassword(environment, user, url, options.sourcePasswordFile, '--source-password-file'),
  };
}

function linesOf(verdict: Verdict, shown: readonly Difference[], report: string | undefined): readonly string[] {
  const rows = verdict.lists
    .filter(({ list }) => !/\/(default_values|required_fields)\//.test(list))
    .map(({ list, source, here, differing }) => [count(source), count(here), count(differing), list]);
  const total = Object.values(verdict.differences).reduce((sum, number) => sum + number, 0);
  const allowed = Object.entries(verdict.allowed).map(([reason, records]) => `  ${count(records)} records: ${reason}`);
  return [
    `source  ${verdict.source}`,
    `here    ${verdict.here}`,
    '',
    ...table(['SOURCE', 'HERE', 'DIFFER', 'RECORDS'], rows),
    ...(allowed.length === 0 ? [] : ['', 'Differs, and may:', ...allowed]),
    ...(shown.length === 0 ? [] : ['', ...shown.map(lineOf)]),
    ...(total > shown.length
      ? [`… ${count(total - shown.length)} more${report === undefined ? ': --report FILE keeps all' : ` in ${report}`}`]
      : []),
    '',
    ...(verdict.samples === null
      ? ['Finding aids, harvesting and searches were not compared: a folder answers nothing.']
      : []),
    verdict.same ? 'Everything is the same.' : `${count(total)} differences.`,
  ];
}

function lineOf(difference: Difference): string {
  const text = (value: unknown): string => printable(JSON.stringify(value) ?? '').slice(0, 120);
  const { uri } = difference;
  switch (difference.what) {
    case 'missing':
      return `${uri} is missing here`;
    case 'deleted':
      return `${uri} was deleted in the source, which this service does not tell`;
    case 'extra':
      return `${uri} is not in the source`;
    case 'unread':
      return `${uri} was not read ${difference.side === 'here' ? 'here' : 'in the source'}: ${printable(difference.reason)}`;
    case 'order':
      return `${uri}: what is below it comes as ${text(difference.source)}, here as ${text(difference.here)}`;
    case 'document':
      return `${uri} as ${difference.document}, ${difference.path}: ${text(difference.source)}, here ${text(difference.here)}`;
    case 'search':
      return `a search for ${printable(difference.query)} (${difference.type}) finds ${count(difference.source)}, here ${count(difference.here)}${[...difference.onlyThere.map((one) => `; not here: ${one}`), ...difference.onlyHere.map((one) => `; only here: ${one}`)].slice(0, 10).join('')}`;
    case 'field':
      return `${uri} ${difference.path}: ${text(difference.source)}, here ${text(difference.here)}`;
  }
}

function notNegative(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('It must be a number from 0 to 9999.');
  return Number(text);
}

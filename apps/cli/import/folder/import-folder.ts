// A folder imported as a whole: what it holds, which identifiers clash, then its files as jobs, with an account that a later run adds to.
import { statSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Call } from '../../environment.ts';
import type { CliFailure } from '../../failure.ts';
import { Interrupted, toCliFailure, usage } from '../../failure.ts';
import { holdAlone } from '../../held-alone.ts';
import { count, printable } from '../../output.ts';
import type { ProgressDisplay } from '../../progress.ts';
import type { Repository } from '../../repository.ts';
import { placeOf } from '../../save.ts';
import { wordsOf } from '../tally.ts';
import type { Placed } from './clashes.ts';
import { findClashes } from './clashes.ts';
import type { FolderFile } from './inventory.ts';
import { takeInventory } from './inventory.ts';
import type { Group } from './jobs.ts';
import { findUnsure, followSent, groupFiles, runGroup } from './jobs.ts';
import { writeReport } from './report-html.ts';
import type { Clash, FileResult, FolderOutcome } from './results.ts';
import type { FolderState, SentJob } from './state.ts';
import { openState } from './state.ts';

/** How a folder is imported. Paths are whole; `repositoryOf` gives the repository of a file, or says why it has none. */
export type FolderOrder = {
  readonly name: string;
  readonly folder: string;
  readonly report: string;
  /** The state; in the folder where it is not given. */
  readonly state?: string;
  readonly onlyValidate: boolean;
  /** Files with identifiers that clash are left behind, in place of importing nothing. */
  readonly leavesClashing: boolean;
  readonly repositoryOf: (file: FolderFile) => Repository | string;
  /** Repositories that are imported into beside each other. */
  readonly atOnce: number;
};

const stateName = '.muniment-import.ndjson';
// One runs while the next is sent: jobs of one repository run one after the other.
const jobsOfRepository = 2;

type FolderImport = { readonly outcome: FolderOutcome; readonly ending: CliFailure | null };

/** Imports the folder, and writes the report whatever comes of it. Only wrong use throws, and a report that cannot be written, before anything is imported. */
export async function importFolder(call: Call, order: FolderOrder, progress: ProgressDisplay): Promise<FolderImport> {
  if (statSync(order.report, { throwIfNoEntry: false })?.isDirectory() === true)
    throw usage(`${order.report} is a folder: --report names a file.`);
  // Whole or not at all: a report may be read while the next one is written.
  const place = await placeOf(order.report);
  if (place.part !== order.report) writeFileSync(place.part, '');
  try {
    const done = await importAll(call, order, place.part, progress);
    await writeFile(place.part, writeReport(done.outcome));
    await place.keep();
    return done;
  } finally {
    await place.drop();
  }
}

async function importAll(
  call: Call,
  order: FolderOrder,
  part: string,
  progress: ProgressDisplay,
): Promise<FolderImport> {
  const begun = performance.now();
  const started = new Date().toISOString();
  const statePath = order.state ?? join(order.folder, stateName);
  const heldPath = `${statePath}.lock`;
  const own = new Set([order.report, part, statePath, heldPath].map((path) => resolve(path)));
  const inventory = await takeInventory(order.folder, own, (done) => progress.update('Looking at files', done, null));
  const placed: Placed[] = [];
  const passedOver = [...inventory.passedOver];
  for (const file of inventory.files) {
    const repository = order.repositoryOf(file);
    if (typeof repository === 'string') passedOver.push({ file: file.name, why: repository, isWanted: true });
    else placed.push({ file, repository: repository.uri });
  }
  if (placed.length === 0 && passedOver.length === 0) throw usage(`${order.name} holds no files.`);
  // Whoever only looks writes no state, and may have no right to.
  using _alone = order.onlyValidate ? null : holdAlone(heldPath, `The import of ${order.name}`);
  const run = new FolderRun(call, order, openState(statePath, call.client.url), progress, placed);
  const ending = await run.toItsEnd();
  progress.end();
  const files = run.results();
  const outcome: FolderOutcome = {
    ok:
      ending === null &&
      files.every(({ status }) => status === 'imported' || status === 'valid') &&
      !passedOver.some(({ isWanted }) => isWanted),
    folder: order.name,
    service: call.client.url,
    started,
    seconds: Math.round(performance.now() - begun) / 1000,
    onlyValidated: order.onlyValidate,
    files,
    clashes: run.clashes,
    passedOver,
    stopped: ending?.message ?? null,
  };
  return { outcome, ending };
}

class FolderRun {
  clashes: readonly Clash[] = [];
  readonly #call: Call;
  readonly #order: FolderOrder;
  readonly #state: FolderState;
  readonly #progress: ProgressDisplay;
  readonly #placed: readonly Placed[];
  /** By the name of the file. */
  readonly #results = new Map<string, FileResult>();
  #ending: CliFailure | null = null;

  constructor(
    call: Call,
    order: FolderOrder,
    state: FolderState,
    progress: ProgressDisplay,
    placed: readonly Placed[],
  ) {
    this.#call = call;
    this.#order = order;
    this.#state = state;
    this.#progress = progress;
    this.#placed = placed;
  }

  /** Does all of it; gives why it ended before its end, or null. */
  async toItsEnd(): Promise<CliFailure | null> {
    try {
      await this.#followOpenJobs();
      const left = this.#withoutImported();
      this.clashes = await findClashes(this.#call.client, left, (done) =>
        this.#progress.update('Reading identifiers', done, left.length),
      );
      const clashing = new Set(
        this.clashes.flatMap(({ repository, files }) => files.map((file) => `${repository} ${file}`)),
      );
      const free = left.filter((each) => !clashing.has(`${each.repository} ${each.file.name}`));
      for (const each of left) if (!free.includes(each)) this.#take(unread(each, 'clashing'));
      for (const clash of this.clashes) this.#progress.line(clashLine(clash));
      if (this.clashes.length > 0 && !this.#order.leavesClashing) return this.#ending;
      await this.#runAll(groupFiles(free));
    } catch (error) {
      this.#ending ??= toCliFailure(error);
    }
    return this.#ending;
  }

  /** What became of each file, in their order. */
  results(): readonly FileResult[] {
    return this.#placed.map((each) => this.#results.get(each.file.name) ?? unread(each, 'waiting'));
  }

  /** Jobs that an earlier run sent and did not see the end of. */
  async #followOpenJobs(): Promise<void> {
    const { client, environment } = this.#call;
    const found: SentJob[] = [];
    for (const unsure of this.#state.unsure) {
      const sent = await findUnsure(client, unsure, this.#state);
      if (sent === null) continue;
      this.#state.sent(sent);
      found.push(sent);
    }
    for (const sent of [...this.#state.open, ...found]) {
      this.#progress.update(`Following ${sent.job}, which an earlier run sent`, null, null);
      try {
        const { results } = await followSent(sent, { client, signal: environment.signal, onlyValidate: false });
        this.#state.ended(sent.job, results);
        this.#earlier.push(...results.filter(({ status }) => status === 'imported'));
      } catch (error) {
        // The service keeps no job for ever; whether its records are there shows in the identifiers.
        if (toCliFailure(error).status !== 404) throw error;
        this.#state.ended(sent.job, []);
      }
    }
  }
  readonly #earlier: FileResult[] = [];

  /** The files that are to be imported; what earlier runs say of the others is taken over. */
  #withoutImported(): readonly Placed[] {
    return this.#placed.filter(({ file, repository }) => {
      const before =
        this.#earlier.find((each) => each.file === file.name && each.repository === repository) ??
        this.#state.imported(repository, file.name);
      if (before?.sha256 !== file.sha256) return true;
      this.#results.set(file.name, { ...before, isEarlier: true });
      return false;
    });
  }

  /** Runs the groups: some repositories beside each other, of each two jobs at a time. */
  async #runAll(groups: readonly Group[]): Promise<void> {
    const queues = [...Map.groupBy(groups, ({ repository }) => repository).values()];
    const running = {
      client: this.#call.client,
      onlyValidate: this.#order.onlyValidate,
      signal: this.#call.environment.signal,
      state: this.#state,
      onResult: (result: FileResult) => this.#take(result),
    };
    await inTurns(queues, this.#order.atOnce, async (queue) =>
      inTurns(queue, jobsOfRepository, async (group) => {
        if (this.#ending !== null) return;
        try {
          await runGroup(group, running);
        } catch (error) {
          const failure = toCliFailure(error);
          // One file that the service refuses says nothing of the others; a service that is gone, or does not let us in, does.
          if (failure.status === undefined || failure.status === 403 || failure.status === 412)
            this.#ending ??= failure;
          else for (const each of this.#placedOf(group)) this.#take(refused(each, failure));
        }
      }),
    );
  }

  #placedOf({ files, repository }: Group): readonly Placed[] {
    return files.map((file) => ({ file, repository }));
  }

  #take(result: FileResult): void {
    this.#results.set(result.file, result);
    const { status, file, faults, leftOutTotal, created } = result;
    if (status === 'clashing') return;
    const left = leftOutTotal === 0 ? '' : `; ${count(leftOutTotal)} parts left out`;
    if (status === 'failed') this.#progress.line(`${file}: failed`);
    else
      this.#progress.line(
        `${file}: ${status === 'valid' ? 'can be imported' : wordsOf(created) || 'no new records'}${left}`,
      );
    for (const { line, text } of faults.slice(0, faultsShown))
      this.#progress.line(printable(`  ${line === null ? '' : `line ${line}: `}${text}`));
    this.#progress.update('Importing files', this.#results.size, this.#placed.length);
  }
}

// The others are in the report.
const faultsShown = 5;

/** Does something with every item, so many at once, in their order. */
async function inTurns<Item>(
  items: readonly Item[],
  atOnce: number,
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const turn = async (): Promise<void> => {
    for (const item of waiting) await act(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, turn));
}

const unread = ({ file, repository }: Placed, status: 'clashing' | 'waiting'): FileResult => ({
  file: file.name,
  sha256: file.sha256,
  type: file.type,
  repository,
  status,
  job: null,
  read: null,
  created: {},
  links: [],
  faults: [],
  leftOut: [],
  leftOutTotal: 0,
  nothing: null,
});

const refused = (placed: Placed, failure: CliFailure): FileResult => ({
  ...unread(placed, 'waiting'),
  status: 'failed',
  faults: [{ line: null, text: failure.message }],
});

const clashLine = ({ value, rule, files, record, isInService }: Clash): string =>
  printable(
    `${rule.replace('.', ' ').replaceAll('_', ' ')} ${value}: ${files.join(', ')}${isInService ? `; the service has it: ${record ?? 'a record that is not shown'}` : ''}`,
  );

/** Whether the run was stopped by Ctrl-C. */
export const isInterrupted = (ending: CliFailure | null): boolean => ending instanceof Interrupted;

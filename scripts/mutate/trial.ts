// One run of tests on the copy, in a process group of its own that is ended when it goes silent.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Workshop } from './workshop.ts';

/** What the program that runs the tests tells. */
export type Step =
  | { readonly step: 'begun'; readonly file: string }
  | { readonly step: 'working' }
  | { readonly step: 'ended'; readonly file: string; readonly failure: string | null }
  | { readonly step: 'finished'; readonly errors: readonly string[] };

/** How a run ended. `file` is where it failed or went silent; null where not even the set-up of the tests worked. */
export type Outcome =
  | { readonly kind: 'passed'; readonly ran: readonly string[] }
  | {
      readonly kind: 'failed' | 'silent';
      readonly ran: readonly string[];
      readonly file: string | null;
      readonly failure: string;
    };

/** What a run of tests works with. */
export type Means = {
  /** The server for databases. */
  readonly databaseUrl: string;
  /** The database that tests clone; null where the run is to make its own, with the code of the copy. */
  readonly template: string | null;
  readonly budgetMs: number;
};

/** No test may be silent for longer: what a change makes hang is noticed by that, since the limits of single tests (vitest.config.ts) are long. */
const patienceMs = 150_000;

/** Runs the test files in order until one fails; after `budgetMs`, where that is not 0, no further test is begun. */
export async function runTests(
  workshop: Workshop,
  files: readonly string[],
  { databaseUrl, template, budgetMs }: Means,
): Promise<Outcome> {
  const program = join('scripts', 'mutate', 'run-tests.ts');
  const child = spawn(process.execPath, [program, String(budgetMs), ...files], {
    cwd: workshop.tree,
    env: {
      ...process.env,
      DATABASE_URL_TEST: databaseUrl,
      ...(template === null ? {} : { TEMPLATE_TEST: template }),
      NODE_COMPILE_CACHE: workshop.compileCache,
      TMPDIR: workshop.scratch,
      FORCE_COLOR: '0',
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    detached: true,
  });
  // The group may be gone already; then there is nothing to end.
  const endGroup = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {}
  };
  const onExit = (): void => endGroup();
  process.once('exit', onExit);
  const steps: Step[] = [];
  let complaint = '';
  let isSilent = false;
  const giveUp = (): void => {
    isSilent = true;
    endGroup();
  };
  let timer = setTimeout(giveUp, patienceMs);
  // Our own program (run-tests.ts) sends nothing else.
  child.on('message', (message) => {
    steps.push(message as Step);
    clearTimeout(timer);
    timer = setTimeout(giveUp, patienceMs);
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint = `${complaint}${chunk.toString()}`.slice(-2_000);
  });
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    // Not 'close': what a test left running may hold the pipe.
    child.once('exit', () => setImmediate(resolve));
  });
  clearTimeout(timer);
  process.off('exit', onExit);
  endGroup();
  await workshop.tidy();
  return outcomeOf(steps, isSilent, complaint);
}

/** What the steps of a run amount to. */
export function outcomeOf(steps: readonly Step[], isSilent: boolean, complaint: string): Outcome {
  const begun = steps.flatMap((step) => (step.step === 'begun' ? [step.file] : []));
  const ended = steps.flatMap((step) => (step.step === 'ended' ? [step] : []));
  const ran = [...new Set([...ended.map(({ file }) => file), ...begun])];
  const failed = ended.find(({ failure }) => failure !== null);
  if (failed !== undefined) return { kind: 'failed', ran, file: failed.file, failure: failed.failure ?? '' };
  if (isSilent) return { kind: 'silent', ran, file: begun.at(-1) ?? null, failure: 'no sign of life' };
  const finished = steps.find((step) => step.step === 'finished');
  if (finished === undefined || ran.length === 0)
    return { kind: 'failed', ran, file: begun.at(-1) ?? null, failure: complaint.trim() || 'nothing ran' };
  const [error] = finished.errors;
  return error === undefined
    ? { kind: 'passed', ran }
    : { kind: 'failed', ran, file: begun.at(-1) ?? null, failure: error };
}

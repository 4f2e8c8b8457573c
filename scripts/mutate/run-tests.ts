// The program that runs tests on the changed copy: `node run-tests.ts <milliseconds> <test file>…` in the copy, with an IPC channel. The
// milliseconds are those of an idle machine, 0 is no end. The files run one after the other in the order given, until one fails or the time is
// over; then the test that runs is the last one. Each step is told to the parent.
import { relative } from 'node:path';
import type { SerializedError, TestCase, TestModule, TestSpecification, Vitest } from 'vitest/node';
import { BaseSequencer, startVitest } from 'vitest/node';
import type { Step } from './trial.ts';

const [budget = '', ...files] = process.argv.slice(2);
const root = process.cwd();
let vitest: Vitest | undefined;
let end: NodeJS.Timeout | undefined;
let isOver = false;

const tell = (step: Step): void => void process.send?.(step);
const pathOf = (module: { readonly moduleId: string }): string => relative(root, module.moduleId).replaceAll('\\', '/');

/** The order in which the files were named. */
class InOrder extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    return specifications.toSorted((one, other) => files.indexOf(pathOf(one)) - files.indexOf(pathOf(other)));
  }
}

const reporter = {
  onInit: (given: Vitest): void => {
    vitest = given;
  },
  onTestModuleStart: (module: TestModule): void => {
    // Not from the start, since a run in which no test was begun says nothing.
    if (Number(budget) > 0)
      end ??= setTimeout(
        () => {
          isOver = true;
        },
        Number(budget) * slowness(),
      );
    tell({ step: 'begun', file: pathOf(module) });
  },
  onTestCaseResult: (test: TestCase): void => {
    // At once: a file in which the run is ended right behind a test counts as skipped, whatever came of that.
    if (test.result().state === 'failed') tell({ step: 'ended', file: pathOf(test.module), failure: test.fullName });
    else tell({ step: 'working' });
    // Not within a test: one that is ended counts as skipped, and a change by which it hangs would go unnoticed.
    if (isOver) void vitest?.cancelCurrentRun('test-failure');
  },
  onTestModuleEnd: (module: TestModule): void => {
    if (module.state() === 'skipped' || module.state() === 'queued') return;
    tell({ step: 'ended', file: pathOf(module), failure: module.ok() ? null : failureOf(module) });
  },
  onTestRunEnd: (_modules: readonly TestModule[], errors: readonly SerializedError[]): void =>
    tell({ step: 'finished', errors: errors.map((error) => error.message) }),
};

/** How much longer than on an idle machine everything takes; to start is work for the processor alone. */
function slowness(): number {
  const { user, system } = process.cpuUsage();
  return Math.max(1, (process.uptime() * 1e6) / (user + system));
}

function failureOf(module: TestModule): string {
  for (const test of module.children.allTests('failed')) return test.fullName;
  return module.errors()[0]?.message ?? 'a hook failed';
}

const run = await startVitest(
  'test',
  files.map((file) => `${root}/${file}`),
  { root, watch: false, bail: 1, maxWorkers: 1, reporters: [reporter], sequence: { sequencer: InOrder }, cache: false },
);
clearTimeout(end);
await run.close();

// The program that runs tests on the changed copy: `node run-tests.ts <milliseconds> <test file>…` in the copy, with an IPC channel.
// The files run one after the other in the order given, until one fails or the time is over; each step is told to the parent.
import { relative } from 'node:path';
import type { SerializedError, TestModule, TestSpecification, Vitest } from 'vitest/node';
import { BaseSequencer, startVitest } from 'vitest/node';
import type { Step } from './trial.ts';

const [budget = '', ...files] = process.argv.slice(2);
const root = process.cwd();
const started = performance.now();
let vitest: Vitest | undefined;

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
  onTestModuleStart: (module: TestModule): void => tell({ step: 'begun', file: pathOf(module) }),
  onTestCaseResult: (): void => tell({ step: 'working' }),
  onTestModuleEnd: (module: TestModule): void => {
    if (module.state() === 'skipped' || module.state() === 'queued') return;
    tell({ step: 'ended', file: pathOf(module), failure: module.ok() ? null : failureOf(module) });
    if (performance.now() - started > Number(budget)) void vitest?.cancelCurrentRun('test-failure');
  },
  onTestRunEnd: (_modules: readonly TestModule[], errors: readonly SerializedError[]): void =>
    tell({ step: 'finished', errors: errors.map((error) => error.message) }),
};

function failureOf(module: TestModule): string {
  for (const test of module.children.allTests('failed')) return test.fullName;
  return module.errors()[0]?.message ?? 'a hook failed';
}

const run = await startVitest(
  'test',
  files.map((file) => `${root}/${file}`),
  { root, watch: false, bail: 1, maxWorkers: 1, reporters: [reporter], sequence: { sequencer: InOrder }, cache: false },
);
await run.close();

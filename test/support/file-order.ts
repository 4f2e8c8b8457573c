// In which order test files run. Those of test/fault are short, and wait long: for processes that start, end and start again. Among the largest of the others they wait beside what computes, and
// none of them is left alone at the end, where one process worked and two had nothing to do.
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/** How many other files come between two of test/fault. */
const between = 4;

/** Puts an element of `some` before each `between` of the others, in their orders, and what is left of `some` behind. */
export function spreadAmong<T>(some: readonly T[], others: readonly T[]): readonly T[] {
  const places = Math.ceil(others.length / between);
  return [
    ...others.flatMap((other, nth) =>
      nth % between === 0 ? [...some.slice(nth / between, nth / between + 1), other] : [other],
    ),
    ...some.slice(places),
  ];
}

/** vitest's order (what failed, what took long or is large), with the files of test/fault spread. */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // Projects run one after the other.
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      const waiting = own.filter(({ moduleId }) => moduleId.includes('/test/fault/'));
      return spreadAmong(
        waiting,
        own.filter((file) => !waiting.includes(file)),
      );
    });
  }
}

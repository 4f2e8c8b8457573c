// Paragraphs in mixed content: inline content is gathered into runs, which end at blank lines and wherever a block begins.
import { isElement } from './tree.ts';
import type { XmlChild } from './tree.ts';

/** Gathers inline content. A run that has ended, perhaps an empty one, goes to `write` of gatherRuns. */
export type ParagraphRuns = {
  /** Takes inline content; blank lines in a text end the run. */
  add(child: XmlChild): void;
  /** Ends the run: before a block, and after the last child. */
  end(): void;
};

/** Begins the first run. */
export function gatherRuns(write: (run: readonly XmlChild[]) => void): ParagraphRuns {
  let run: XmlChild[] = [];
  const end = (): void => {
    write(run);
    run = [];
  };
  const add = (child: XmlChild): void => {
    const [first = '', ...rest] = isElement(child) ? [child] : child.split(/\n[ \t\r]*\n\s*/);
    run.push(first);
    for (const part of rest) {
      end();
      run.push(part);
    }
  };
  return { add, end };
}

// Inline content gathered into paragraphs.
import { expect, it } from 'vitest';
import { parseFragment } from '#domain/formats/xml/fragment.ts';
import { gatherRuns } from '#domain/formats/xml/paragraph-runs.ts';
import { isElement } from '#domain/formats/xml/tree.ts';
import type { XmlChild } from '#domain/formats/xml/tree.ts';

const plain = (children: readonly XmlChild[]): string =>
  children.map((child) => (isElement(child) ? plain(child.children) : child)).join('');

/** The runs of a text as plain texts; `hr` stands for any block. */
function runsOf(text: string): readonly string[] {
  const found: string[] = [];
  const runs = gatherRuns((run) => void found.push(plain(run)));
  for (const child of parseFragment(text) ?? [text]) {
    if (isElement(child) && child.name === 'hr') runs.end();
    else runs.add(child);
  }
  runs.end();
  return found;
}

it('keeps elements and the text around them in one run', () => {
  expect(runsOf('one <b>two</b>\nthree')).toEqual(['one two\nthree']);
});

it('ends a run at blank lines, blanks in them or not', () => {
  expect(runsOf('one\n\ntwo\n \t\r\n\n  three')).toEqual(['one', 'two', 'three']);
  expect(runsOf('<b>one</b>\n\ntwo')).toEqual(['one', 'two']);
});

it('does not look for blank lines inside elements', () => {
  expect(runsOf('<b>one\n\ntwo</b>')).toEqual(['one\n\ntwo']);
});

it('ends a run where a block begins, also an empty one', () => {
  expect(runsOf('one<hr/>two<hr/>')).toEqual(['one', 'two', '']);
});

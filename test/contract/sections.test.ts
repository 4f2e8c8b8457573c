// Every numbered section of behaviour-records.md is cited by a test: as 'behaviour-records.md 5.1, 5.2', 'contract 1.1-1.3' and the like.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const folder = new URL('../', import.meta.url);
// Our own file (test/contract/data): an object of titles by section.
const { sections }: { sections: { readonly [section: string]: string } } = JSON.parse(
  readFileSync(new URL('contract/data/record-sections.json', folder), 'utf8'),
);
const own = 'contract/sections.test.ts';

const citation =
  /(?:behaviour-records(?:\.md)?|contract),?:?(?: sections?)? (\d(?:\.\d+)?(?:(?:-|, | and )\d(?:\.\d+)?)*)/gi;

/** The sections that a text cites, ranges taken apart. */
function citedIn(text: string): readonly string[] {
  return [...text.matchAll(citation)]
    .flatMap(([, list = '']) => list.split(/, | and /))
    .flatMap((part) => {
      const [from = '', to] = part.split('-');
      if (to === undefined) return [from];
      const [chapter, first] = from.split('.');
      return Array.from(
        { length: Number(to.split('.')[1]) - Number(first) + 1 },
        (_, n) => `${chapter}.${Number(first) + n}`,
      );
    });
}

const cited = new Map<string, readonly string[]>(
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && name !== own)
    .map((name) => [name, citedIn(readFileSync(new URL(name, folder), 'utf8'))]),
);

it.each(Object.entries(sections))('%s %s', (section) => {
  expect([...cited].filter(([, found]) => found.includes(section)).map(([name]) => name)).not.toEqual([]);
});

it('names no section that there is none', () => {
  const chapters = new Set(Object.keys(sections).map((section) => section.split('.')[0]));
  const unknown = [...cited].flatMap(([name, found]) =>
    found.filter((section) => !(section in sections) && !chapters.has(section)).map((section) => `${name}: ${section}`),
  );
  expect(unknown).toEqual([]);
});

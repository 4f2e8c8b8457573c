// Reports of comparisons as the console reads them: every sort of line, what is kept of very many, and what is no report.
import { expect, it } from 'vitest';
import type { Report } from '../../../apps/console/moving-in/report.ts';
import { mostKept, readReport } from '../../../apps/console/moving-in/report.ts';

async function* inPieces(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}
const read = (text: string, size = 7): Promise<Report> => readReport(inPieces(text, size));
const lines = (...values: readonly object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const verdict = {
  source: 'https://a.example/api',
  here: 'https://b.example',
  same: false,
  lists: [{ list: '/subjects', source: 3, here: 2, differing: 1 }],
  samples: null,
  differences: { missing: 1 },
  allowed: { 'it may': 4 },
};
const field = (id: number, source: unknown, here: unknown) => ({
  what: 'field',
  uri: `/repositories/2/resources/${id}`,
  path: 'notes/0/content/12',
  source,
  here,
});

it('reads every sort of difference, in whatever pieces they come', async () => {
  const text = lines(
    { what: 'missing', uri: '/subjects/1' },
    field(1, 'Letters', null),
    field(2, { a: 1 }, [1, 'b']),
    { what: 'order', uri: '/repositories/2/resources/1', source: [1, 2], here: [2, 1] },
    { what: 'unread', uri: '/subjects/2', side: 'here', reason: 'It fails.' },
    { what: 'document', uri: '/r/1', document: 'ead', path: 'ead/c[2]/@level', source: 'file', here: null },
    { what: 'search', uri: '/r/1', query: '"a b"', type: 'x', source: 2, here: 1, onlyThere: ['/r/2'], onlyHere: [] },
    { what: 'verdict', ...verdict },
  );
  for (const size of [1, 7, 1_000_000]) {
    const report = await read(text, size);
    expect(report.kept.map(({ sort, property, place, source, here }) => [sort, property, place, source, here])).toEqual(
      [
        ['missing', '', '', null, null],
        ['field', 'notes/*/content/*', 'notes/0/content/12', 'Letters', null],
        ['field', 'notes/*/content/*', 'notes/0/content/12', '{"a":1}', '1, b'],
        ['order', '', '', '1, 2', '2, 1'],
        ['unread', '', '', null, 'It fails.'],
        ['document', 'ead ead/c/@level', 'ead ead/c[2]/@level', 'file', null],
        ['search', 'x', '"a b"', '2\n/r/2', '1'],
      ],
    );
    expect(report).toMatchObject({ total: 7, broken: [], brokenTotal: 0, verdict: { same: false, isSampled: false } });
    expect(report.verdict?.allowed.get('it may')).toBe(4);
    expect(report.counts.get('/repositories/2/resources')?.get('field')).toBe(2);
  }
});

it('reads what --json prints, which has the first differences alone', async () => {
  const shown = [{ what: 'missing', uri: '/subjects/1' }];
  const report = await read(lines({ ...verdict, differences: { missing: 2340 }, shown }));
  expect(report).toMatchObject({ total: 2340, kept: [{ uri: '/subjects/1', list: '/subjects' }] });
});

it('tells which lines it could not read, and reads the others', async () => {
  const text = `${lines({ what: 'missing', uri: '/subjects/1' })}{"what":\n\n${lines({ what: 'odd', uri: '/x' })}${lines({ what: 'extra', uri: '/subjects/3' })}{"what":"mis`;
  const report = await read(text);
  expect(report.broken).toEqual([
    { line: 2, why: 'json' },
    { line: 4, why: 'unknown' },
    { line: 6, why: 'json' },
  ]);
  expect([report.total, report.verdict]).toEqual([2, null]);
  const many = await read(`${lines({ what: 'missing', uri: '/a/1' })}${'{\n'.repeat(5000)}`, 1000);
  expect([many.broken.length, many.brokenTotal]).toEqual([20, 5000]);
});

it('does not keep a line that has no end', async () => {
  const long = `{"what":"missing","uri":"/${'a'.repeat(17_000_000)}"}\n`;
  const report = await read(`${lines(field(1, 'a', 'b'))}${long}${lines(field(2, 'a', 'b'))}`, 1_000_000);
  expect([report.total, report.broken]).toEqual([2, [{ line: 2, why: 'long' }]]);
});

it('keeps the first of very many differences, and counts all', async () => {
  async function* many(): AsyncGenerator<string> {
    for (let id = 0; id < mostKept + 500; id += 500)
      yield Array.from({ length: 500 }, (_, n) => `{"what":"missing","uri":"/subjects/${id + n}"}\n`).join('');
  }
  const report = await readReport(many());
  expect([report.kept.length, report.total]).toEqual([mostKept, mostKept + 500]);
  expect(report.counts.get('/subjects')?.get('missing')).toBe(mostKept + 500);
});

it('keeps of long texts the place where they differ', async () => {
  const [before, after] = ['x'.repeat(50_000), 'y'.repeat(50_000)];
  const report = await read(lines(field(1, `${before}one${after}`, `${before}two${after}`)), 10_000);
  const [kept] = report.kept;
  expect(kept?.source?.length).toBeLessThan(21_000);
  expect(kept?.source).toMatch(/^…x+oney+…$/);
  expect(kept?.here).toMatch(/^…x+twoy+…$/);
});

it('refuses what is no report: nothing, the page of --html, records, a picture', async () => {
  await expect(read('')).rejects.toMatchObject({ why: 'empty' });
  await expect(read('\n \n')).rejects.toMatchObject({ why: 'empty' });
  await expect(read('<!doctype html>\n<p>')).rejects.toMatchObject({ why: 'page' });
  await expect(read('{"uri":"/subjects/1"}\n'.repeat(2000), 1000)).rejects.toMatchObject({ why: 'other' });
  await expect(read('{"error":"Access denied"}\n')).rejects.toMatchObject({ why: 'other' });
  await expect(read('\u0000PNG')).rejects.toMatchObject({ why: 'other' });
});

// What no test could tell from what is there is no mutant: numbers that only tune, the wording of the log, examples.
import { expect, test } from 'vitest';
import { mutantsOf } from '../../../../scripts/mutate/mutants.ts';

const changesOf = (text: string): readonly string[] =>
  mutantsOf('libs/f.ts', text)
    .filter(({ operator }) => ['number', 'string', 'arithmetic', 'boundary', 'call'].includes(operator))
    .map(({ operator }) => operator);

test.each([
  ['how long something waits', 'const patienceMs = 60_000;'],
  ['a product of it', 'const statementTimeoutMs = 6 * 3_600_000;'],
  ['how much is taken at once', 'const rowsAtOnce = 1000;'],
  ['a property', 'start({ poolSize: 4 });'.replace('start(', 'const s = start(')],
  ['a default', 'function f({ pollMs = 500 }: S): void {}'],
  ['a field of a class', 'class A { #pauseMs = 500; readonly poolSize = 3; }'],
  ['a timer', 'const t = setTimeout(end, 2 * 1000);'],
  ['a method that waits', 'const w = bell.wait(5000, signal);'],
  ['the moment when a wait is over', 'const isLate = waited > patienceMs;'],
  ['that of a field', 'const isLate = this.#pauseMs < waited;'],
  ['the wording of the log', "const l = log.warn({ event: 'list_not_read' }, 'not read');"],
  ['that of the log of a request', "const l = request.log.error({ event: 'cut' });"],
  ['that of the store', "const l = log('database_started', { reason: 'new' });"],
  ['an example', "const r = { example: { id: 7, title: 'Letters' } };"],
])('%s', (_, text) => {
  expect(changesOf(text)).toEqual([]);
});

test.each([
  ['a limit that clients meet', 'const maximumPageSize = 250;', ['number', 'number']],
  ['a comparison with such a limit', 'const isRefused = size > maximumPageSize;', ['boundary']],
  ['where a list ends', 'const isLast = rows.length < rowsAtOnce;', ['boundary']],
  ['a fact', 'const epochMs = 946_684_800_000;', ['number', 'number']],
  ['arithmetic with what was tuned', 'const end = start + patienceMs;', ['arithmetic']],
  ['a number inside a call', 'const patienceMs = read(5);', ['number', 'number']],
  ['what a job tells clients', "const l = context.log('Nothing to do.');", ['string']],
  ['what a job tells them through a function', "const l = log('Nothing to do.');", ['string']],
  ['that the log is written at all', "log.info({ event: 'login' });", ['call']],
])('%s counts', (_, text, operators) => {
  expect(changesOf(text)).toEqual(operators);
});

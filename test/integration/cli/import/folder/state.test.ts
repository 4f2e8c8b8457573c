// The state of a folder: what earlier runs did, and what a kill left of it.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { FileResult } from '../../../../../apps/cli/import/folder/results.ts';
import { openState } from '../../../../../apps/cli/import/folder/state.ts';
import { filesForTests } from '../../run-cli.ts';

const files = filesForTests();
const path = join(files.folder, 'state.ndjson');
const here = 'http://here';
const result: FileResult = {
  file: 'a.xml',
  sha256: '1',
  type: 'eac_xml',
  repository: '/repositories/2',
  status: 'imported',
  job: '/repositories/2/jobs/1',
  read: null,
  created: {},
  links: [],
  faults: [],
  leftOut: [],
  leftOutTotal: 0,
  nothing: null,
};
const sent = (job: string) => ({
  job,
  repository: '/repositories/2',
  type: 'eac_xml',
  files: [{ file: 'a.xml', sha256: '1' }],
});

it('knows what was imported, and which jobs were sent and not seen to their end', () => {
  const first = openState(path, here);
  first.sent(sent('/repositories/2/jobs/1'));
  first.sent(sent('/repositories/2/jobs/2'));
  first.ended('/repositories/2/jobs/1', [result, { ...result, file: 'bad.xml', status: 'failed' }]);
  const second = openState(path, here);
  expect(second.imported('/repositories/2', 'a.xml')).toEqual(result);
  expect(second.imported('/repositories/3', 'a.xml')).toBeUndefined();
  expect(second.imported('/repositories/2', 'bad.xml')).toBeUndefined();
  expect(second.open).toEqual([sent('/repositories/2/jobs/2')]);
  // Of another service it says nothing.
  const other = openState(path, 'http://elsewhere');
  expect([other.open, other.imported('/repositories/2', 'a.xml')]).toEqual([[], undefined]);
});

it('knows of files that were being sent until it hears of their job', () => {
  const place = join(files.folder, 'unsure.ndjson');
  const { job, ...about } = sent('/repositories/2/jobs/1');
  openState(place, here).sending(about);
  const state = openState(place, here);
  expect([state.unsure, state.knows(job)]).toEqual([[{ ...about, at: expect.any(String) }], false]);
  state.sent({ job, ...about });
  expect([openState(place, here).unsure, openState(place, here).knows(job)]).toEqual([[], true]);
});

it('passes over half a line at its end, goes on behind it, and refuses a file that is something else', () => {
  appendFileSync(path, '{"service":"http://here","ended":"/reposit');
  const state = openState(path, here);
  expect(state.open).toHaveLength(1);
  state.ended('/repositories/2/jobs/2', []);
  expect(openState(path, here).open).toEqual([]);
  expect(readFileSync(path, 'utf8').split('\n').length).toBeGreaterThan(4);
  for (const text of ['A letter.', '{"other":1}\n']) {
    writeFileSync(path, text);
    expect(() => openState(path, here)).toThrow(/line 1/);
    expect(readFileSync(path, 'utf8')).toBe(text);
  }
  writeFileSync(path, 'Dear reader,\nthis is\na letter.\n');
  expect(() => openState(path, here)).toThrow(/is no state of an import: line 1/);
});

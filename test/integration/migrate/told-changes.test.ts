// What a folder tells the next load: the last that was heard of a record, whatever order it was heard in.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { changesOf } from '#migrate/told-changes.ts';

const folder = mkdtempSync(join(tmpdir(), 'muniment-told-'));
afterAll(() => rmSync(folder, { recursive: true }));
const told = (...path: readonly string[]): string => readFileSync(join(folder, ...path), 'utf8');

it('is nothing where the folder was not loaded, but that the folder itself remembers what went', async () => {
  const changes = await changesOf(folder, false);
  await changes.add('subjects', [{ uri: '/subjects/1' }]);
  await changes.tellGone(['/subjects/2']);
  await changes.remove(['/subjects/3']);
  expect(existsSync(join(folder, 'changes'))).toBe(false);
  expect(told('deleted.ndjson')).toBe('{"uri":"/subjects/3","at":null}\n');
});

it('is of what went and is back its line alone, also where the next run hears of it', async () => {
  const first = await changesOf(folder, true);
  await first.remove(['/subjects/3', '/subjects/4']);
  await first.tellGone(['/subjects/5']);
  await first.add('subjects', [{ uri: '/subjects/3' }]);
  const second = await changesOf(folder, true);
  await second.add('subjects', [{ uri: '/subjects/5' }, { uri: '/subjects/6' }]);
  expect(told('changes', 'deleted.ndjson')).toBe('{"uri":"/subjects/4","at":null}\n');
  expect(told('changes', 'subjects.ndjson')).toBe(
    '{"uri":"/subjects/3"}\n{"uri":"/subjects/5"}\n{"uri":"/subjects/6"}\n',
  );
});

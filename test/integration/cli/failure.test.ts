// What the commands say of a source that fails, with the exit code that scripts go by.
import { open } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { Refused, SourceLost, WrongFolder } from '#migrate/failures.ts';
import { CliFailure, toCliFailure, toJson } from '../../../apps/cli/failure.ts';

it('keeps the words and the status of a failed reading; a wrong folder is wrong use', () => {
  expect(toCliFailure(new WrongFolder('Another folder.'))).toMatchObject({ message: 'Another folder.', exitCode: 2 });
  expect(toCliFailure(new SourceLost('Nobody answers.'))).toMatchObject({ exitCode: 1, status: undefined });
  const refused = toCliFailure(new Refused('/x: 404 Record not found', { status: 404 }));
  expect(refused).toBeInstanceOf(CliFailure);
  expect(toJson(refused)).toEqual({ error: '/x: 404 Record not found', status: 404 });
});

it('says in words what is wrong with the name of a file, by the name it was to have', async () => {
  const failure = await open('/nowhere/at/all.xml.part', 'w').catch(toCliFailure);
  expect(failure).toMatchObject({
    message: '/nowhere/at/all.xml cannot be used: there is no such file or folder.',
    exitCode: 1,
  });
});

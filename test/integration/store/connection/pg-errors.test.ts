// What an error says of the database.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { isServerAway, toFailure } from '#store/connection/pg-errors.ts';

const nowhere = '/nowhere/at/all';

test('a socket that is not there is a server that is away; a file that is not there says nothing of it', async () => {
  const [ofSocket]: readonly unknown[] = await once(connect(nowhere), 'error');
  expect([isServerAway(ofSocket), toFailure(ofSocket)]).toEqual([
    true,
    expect.objectContaining({ code: 'unavailable' }),
  ]);
  const ofFile: unknown = await readFile(nowhere).catch((error: unknown) => error);
  expect(ofFile).toMatchObject({ code: 'ENOENT' });
  expect([isServerAway(ofFile), toFailure(ofFile)]).toEqual([false, ofFile]);
});

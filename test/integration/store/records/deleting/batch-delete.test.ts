// How the records of a batch are told apart before they are deleted; what is deleted, and what refuses it, is tested over HTTP (batch-delete of the routes).
import { expect, it } from 'vitest';
import { subject } from '#domain/kinds/subject.ts';
import { isManyToDelete } from '#store/records/deleting/batch-delete.ts';
import { createDatabase } from '#test/support/database.ts';
import { connect } from '#test/support/worker.ts';

it('takes no longer for each record of a repository than for the first', async () => {
  await using own = await createDatabase();
  await using connected = connect(own.url, 2);
  const named = Array.from({ length: 100_000 }, (_, index) => ({
    uri: `/subjects/${index + 1}`,
    kind: subject,
    id: index + 1,
    repoId: null,
  }));
  const started = performance.now();
  expect(await isManyToDelete(connected.database.reader, named, named.length)).toBe(false);
  // Less than a second; where the set was copied for each further record, it was more than half a minute.
  expect(performance.now() - started).toBeLessThan(20_000);
});

// Why jobs are there: from the payloads of those that the service makes, and from what clients ask for.
import { expect, it } from 'vitest';
import { reasonOfAsked, reasonOfOurs } from '#domain/job-reason.ts';
import { jobs } from '#domain/jobs/index.ts';

it('tells requests, the clock and the service itself apart', () => {
  const all = { kinds: null, repoId: null };
  const by = (payload: object, owner: string | null) => reasonOfOurs(jobs.reindex, payload, owner).by;
  expect([by({ ...all, rewrite: false }, null), by({ ...all, rewrite: true }, null), by(all, 'admin')]).toEqual([
    'clock',
    'service',
    'request',
  ]);
});

it('names records and the job that a job follows', () => {
  const merge = {
    what: 'agent',
    repoId: null,
    destination: '/agents/people/1',
    candidates: ['/agents/people/2'],
    selections: null,
    actor: 'admin',
    agentUri: null,
  };
  expect(reasonOfOurs(jobs['merge-records'], merge, 'admin')).toEqual({
    by: 'request',
    records: ['/agents/people/1', '/agents/people/2'],
    follows: null,
  });
  expect(reasonOfOurs(jobs['undo-merge'], { mergeId: 7, repoId: 2, actor: null }, 'admin').follows).toEqual({
    id: 7,
    repoId: 2,
  });
  const moved = { repoId: 2, nodeKind: 'archival_object', rootId: 1, parentId: null, position: null, actor: null };
  const ids = Array.from({ length: 30 }, (_, index) => index + 1);
  const { records } = reasonOfOurs(jobs['move-nodes'], { ...moved, ids }, 'admin');
  expect([records.length, records[0]]).toEqual([10, '/repositories/2/archival_objects/1']);
  // What an earlier version made and can no longer be read names nothing.
  expect(reasonOfOurs(jobs['move-nodes'], { other: 1 }, 'admin').records).toEqual([]);
});

it('finds the records in what a client asked for', () => {
  const job = { jsonmodel_type: 'x', source: '/repositories/2/resources/1', refs: ['/subjects/3', 'text'], n: 1 };
  expect(reasonOfAsked(job).records).toEqual(['/repositories/2/resources/1', '/subjects/3']);
});

// What must not run beside each other has one mailbox: merges and deletions in steps of global records; those of a repository with what leaves it.
import { expect, test } from 'vitest';
import { deleteRecord } from '#domain/jobs/delete-record.ts';
import { deleteRecords, stepsRepositoryOf } from '#domain/jobs/delete-records.ts';
import { deleteRepository } from '#domain/jobs/delete-repository.ts';
import { leadBack } from '#domain/jobs/lead-back.ts';
import { mergeRecords } from '#domain/jobs/merge-records.ts';
import { transferRecord } from '#domain/jobs/transfer-record.ts';
import { transferRepository } from '#domain/jobs/transfer-repository.ts';
import { undoMerge } from '#domain/jobs/undo-merge.ts';
import { holdersMailbox, repositoryMailbox } from '#domain/merges/mailbox.ts';

const actor = null;
const by = { actor, address: null, requestId: null };
const box = { kind: 'top_container', id: 1, repoId: 2, nodeKind: null, rootId: null, lockVersion: null, actor };

const merge = { what: 'subject' as const, destination: '', candidates: [], selections: null, actor, agentUri: null };

test('of global records: that of merges', () => {
  const merges = holdersMailbox(null);
  const agents = ['/agents/people/1', '/subjects/2'];
  expect(merges).toBe('merge');
  expect(deleteRecord.mailbox({ ...box, kind: 'subject', repoId: null, isHeldByMany: true })).toBe(merges);
  expect(deleteRecords.mailbox({ uris: agents, by })).toBe(merges);
  expect(leadBack.mailbox({ mergeId: 1, repoId: null })).toBe(merges);
  expect(leadBack.mailbox({ deletionId: 1, repoId: null })).toBe(merges);
  expect(mergeRecords.mailbox({ ...merge, repoId: null })).toBe(merges);
  expect(undoMerge.mailbox({ mergeId: 1, repoId: null, actor })).toBe(merges);
});

test('of a repository: that of what is taken from it, and of nobody else', () => {
  const own = repositoryMailbox(2);
  const boxes = ['/repositories/2/top_containers/1', '/repositories/2/accessions/1'];
  expect(holdersMailbox(2)).toBe(own);
  expect(deleteRecord.mailbox({ ...box, isHeldByMany: true })).toBe(own);
  expect(deleteRecords.mailbox({ uris: boxes, by })).toBe(own);
  expect(leadBack.mailbox({ deletionId: 1, repoId: 2 })).toBe(own);
  expect(leadBack.mailbox({ mergeId: 1, repoId: 2 })).toBe(own);
  expect(mergeRecords.mailbox({ ...merge, what: 'top_container', repoId: 2 })).toBe(own);
  expect(undoMerge.mailbox({ mergeId: 1, repoId: 2, actor })).toBe(own);
  expect(transferRecord.mailbox({ kind: 'accession', id: 1, from: 2, to: 3, actor })).toBe(own);
  expect(transferRepository.mailbox({ from: 2, to: 3, actor })).toBe(own);
  expect(deleteRepository.mailbox({ repoId: 2, actor, lockVersion: null })).toBe(own);
  expect(repositoryMailbox(3)).not.toBe(own);
  // A tree of much to which few link goes beside moves below it, as ever.
  const tree = { ...box, kind: 'resource', nodeKind: 'archival_object', rootId: 1 };
  expect(deleteRecord.mailbox({ ...tree, isHeldByMany: false })).toBe('tree/2/archival_object/1');
  expect(deleteRecord.mailbox({ ...tree, isHeldByMany: true })).toBe(own);
});

test('of several repositories: that of merges, as those that are of none go in steps', () => {
  const two = '/repositories/2/accessions/1';
  for (const other of ['/repositories/3/accessions/1', '/subjects/1']) {
    expect(stepsRepositoryOf([two, other])).toBe(null);
    expect(deleteRecords.mailbox({ uris: [two, other], by })).toBe(holdersMailbox(null));
  }
  expect([stepsRepositoryOf([two, '/repositories/2']), stepsRepositoryOf(['/subjects/1'])]).toEqual([2, null]);
});

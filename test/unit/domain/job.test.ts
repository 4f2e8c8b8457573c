// Declarations of jobs: what makes one that clients may ask for, and what does not compile.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineJob, wireJobsOf } from '#domain/job.ts';
import { wireJobs } from '#domain/jobs/index.ts';
import { printFindingAid } from '#domain/jobs/print-finding-aid.ts';

const facts = { name: 'test', doc: '', mailbox: () => 'test', attempts: 1, timeoutSeconds: 1, progressUnit: 'records' };
const wire = { name: 'test_job', create: ['import_records'], cancel: [], parameters: {} };
const payload = { repoId: 2, actor: 'ann', job: {}, params: {} };

test('a job with wire facts takes the payload of such jobs, and needs at its run what making it needed', () => {
  const declared = defineJob({ ...facts, wire });
  expect(declared.payload.parse(payload)).toEqual(payload);
  expect(declared.payload.safeParse({ repoId: 2 }).success).toBe(false);
  expect(declared.needs?.(payload)).toEqual([
    { code: 'create_job', repoId: 2 },
    { code: 'import_records', repoId: 2 },
  ]);
});

test('needs that are declared stand in place of those', () => {
  const needed = (job: object) => printFindingAid.needs?.({ ...payload, job: { ...job } }).map(({ code }) => code);
  expect(needed({})).toEqual(['create_job', 'view_repository']);
  expect(needed({ of_request: true })).toEqual(['view_repository']);
});

test('half a declaration does not compile', () => {
  // @ts-expect-error A job that clients may not ask for has a payload of its own.
  const without = () => defineJob(facts);
  const { create: _, ...less } = wire;
  // @ts-expect-error Who may make it is always said.
  const unguarded = () => defineJob({ ...facts, wire: less });
  // @ts-expect-error What clients ask for takes no other payload.
  const both = () => defineJob({ ...facts, wire, payload: z.object({ repoId: z.int() }) });
  // @ts-expect-error Nor is it made by the clock, for nobody would own it.
  const clocked = () => defineJob({ ...facts, wire, schedule: () => null });
  expect([without, unguarded, both, clocked]).toHaveLength(4);
});

test('jobs on the wire come in order of their names, and two of one name are refused', () => {
  const named = (name: string) => defineJob({ ...facts, wire: { ...wire, name } });
  const own = defineJob({ ...facts, payload: z.object({}) });
  expect([...wireJobsOf([named('b_job'), own, named('a_job')]).keys()]).toEqual(['a_job', 'b_job']);
  expect(() => wireJobsOf([named('b_job'), named('a_job'), named('b_job')])).toThrow('b_job');
});

test('clients are offered the job types of the contract in the order they know', () => {
  const names = [...wireJobs.keys()];
  expect(names).toEqual(names.toSorted());
  expect(names).toEqual(expect.arrayContaining(['bulk_import_job', 'import_job', 'report_job', 'sort_children_job']));
});

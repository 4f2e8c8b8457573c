// Who is offered to start and to cancel jobs: the permissions that the console names are those that the jobs declare.
import { expect, it } from 'vitest';
import { wireJobs } from '#domain/jobs/index.ts';
import { permissionsOfJobs } from '../../../apps/console/jobs/permissions-of-jobs.ts';

it('names the permissions that jobs of each type need, and no others', () => {
  const declared = [...wireJobs].map(
    ([name, { wire }]) => [name, { create: wire.create, cancel: wire.cancel }] as const,
  );
  const needing = declared.filter(([, { create, cancel }]) => create.length + cancel.length > 0);
  expect(permissionsOfJobs).toEqual(Object.fromEntries(needing));
});

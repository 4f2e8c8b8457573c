// Who is offered to start a job, and to cancel one: whoever has all that its type needs. The service judges by itself all the same.
import { may } from '../session.ts';
import { permissionsOfJobs } from './permissions-of-jobs.ts';

/** Whether the user may start jobs of a type in a repository. */
export const mayStart = (type: string, repository: string): boolean =>
  ['create_job', ...(permissionsOfJobs[type]?.create ?? [])].every((code) => may(code, repository));

/** Whether the user may cancel jobs of a type in a repository; null: where they are of none. */
export const mayCancel = (type: string, repository: string | null): boolean =>
  ['cancel_job', ...(permissionsOfJobs[type]?.cancel ?? [])].every((code) => may(code, repository));

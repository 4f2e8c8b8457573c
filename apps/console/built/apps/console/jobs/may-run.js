import { may } from '../session.js';
import { permissionsOfJobs } from './permissions-of-jobs.js';
export const mayStart = (type, repository) => ['create_job', ...(permissionsOfJobs[type]?.create ?? [])].every((code) => may(code, repository));
export const mayCancel = (type, repository) => ['cancel_job', ...(permissionsOfJobs[type]?.cancel ?? [])].every((code) => may(code, repository));

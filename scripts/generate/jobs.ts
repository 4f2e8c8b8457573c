// The registries of jobs: their declarations (libs/domain/jobs) and handlers (apps/worker/jobs), one file each and both of one name.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { camel, filesIn } from './registries.ts';

const declared = 'libs/domain/jobs';
const handled = 'apps/worker/jobs';

/** What keeps the two folders from being registries of the same jobs, in words that say what to do. */
export function jobProblems(root: string): readonly string[] {
  const [jobs, handlers] = [filesIn(root, declared), filesIn(root, handled)];
  const textOf = (folder: string, name: string): string => readFileSync(join(root, folder, `${name}.ts`), 'utf8');
  return [
    ...jobs
      .filter((name) => !isDeclaration(textOf(declared, name), name))
      .map((name) => `${declared}/${name}.ts: write export const ${camel(name)} = defineJob({ name: '${name}', … })`),
    ...jobs
      .filter((name) => !handlers.includes(name))
      .map((name) => `${declared}/${name}.ts has no handler: ${remedy(name)}`),
    ...handlers
      .filter((name) => !jobs.includes(name))
      .map((name) => `${handled}/${name}.ts has no declaration: write ${declared}/${name}.ts, or give both one name`),
    ...handlers
      .filter((name) => jobs.includes(name) && !isHandler(textOf(handled, name), name))
      .map((name) => `${handled}/${name}.ts does not handle the job of its name: ${remedy(name)}`),
  ];
}

const remedy = (name: string): string =>
  `write export const handler = defineHandler(${camel(name)}, async (payload, context) => …) in ${handled}/${name}.ts`;

const isDeclaration = (text: string, name: string): boolean =>
  new RegExp(`^export const ${camel(name)} = defineJob\\(\\{\\s*name: '${name}',`, 'm').test(text);

const isHandler = (text: string, name: string): boolean =>
  new RegExp(`^export const handler\\b[^=]*=\\s*defineHandler\\(\\s*${camel(name)}\\b`, 'm').test(text);

/** libs/domain/jobs/index.ts: the declaration of every job. */
export function jobsIndex(root: string, mark: string): string {
  const names = filesIn(root, declared);
  return `// ${mark}
// The registry of background jobs: declarations by name, and those that clients may ask for.
import type { WireJob } from '../job.ts';
import { wireJobsOf } from '../job.ts';
${names.map((name) => `import { ${camel(name)} } from './${name}.ts';\n`).join('')}
/** All jobs by name. Kept as an object, so that each keeps the type of its payload. */
export const jobs = {
${names.map((name) => `  '${name}': ${camel(name)},\n`).join('')}} as const;

/** The name of a job. */
export type JobName = keyof typeof jobs;

/** The jobs that clients may ask for, by and in order of \`job_type\`. */
export const wireJobs: ReadonlyMap<string, WireJob> = wireJobsOf(Object.values(jobs));
`;
}

/** apps/worker/jobs/index.ts: the handler of every job. */
export function handlersIndex(root: string, mark: string): string {
  const names = filesIn(root, handled);
  return `// ${mark}
// The registry of job handlers.
import type { JobHandler } from '../handler.ts';
${names.map((name) => `import { handler as ${camel(name)} } from './${name}.ts';`).join('\n')}

/** All handlers. */
export const handlers: readonly JobHandler[] = [
${names.map((name) => `  ${camel(name)},`).join('\n')}
];
`;
}

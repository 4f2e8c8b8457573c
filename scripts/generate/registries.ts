// The registries of route files and job handlers: what a folder holds, as one list.
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';

const filesIn = (root: string, folder: string): readonly string[] =>
  globSync('*.ts', { cwd: join(root, folder) })
    .filter((name) => name !== 'index.ts')
    .sort()
    .map((name) => basename(name, '.ts'));

const camel = (name: string): string => name.replace(/[_-](\w)/g, (_, letter: string) => letter.toUpperCase());

/** apps/api/routes/index.ts: every route that a file of the folder exports, alone or in an array. */
export function routesIndex(root: string, mark: string): string {
  const names = filesIn(root, 'apps/api/routes');
  return `// ${mark}
// The registry of routes that are no uniform ones: everything the files of this folder export.
import type { Route } from '../route.ts';
${names.map((name) => `import * as ${camel(name)} from './${name}.ts';`).join('\n')}

const modules: readonly { readonly [name: string]: unknown }[] = [
${names.map((name) => `  ${camel(name)},`).join('\n')}
];

const isRoute = (value: unknown): value is Route => typeof value === 'object' && value !== null && 'handler' in value && 'access' in value;

/** All routes of the folder, file by file. */
export const ownRoutes: readonly Route[] = modules.flatMap((module) => Object.values(module).flat()).filter(isRoute);
`;
}

/** apps/worker/jobs/index.ts: the handler of every job. */
export function handlersIndex(root: string, mark: string): string {
  const names = filesIn(root, 'apps/worker/jobs');
  return `// ${mark}
// The registry of job handlers.
import type { JobHandler } from '../running/context.ts';
${names.map((name) => `import { handler as ${camel(name)} } from './${name}.ts';`).join('\n')}

/** All handlers. */
export const handlers: readonly JobHandler[] = [
${names.map((name) => `  ${camel(name)},`).join('\n')}
];
`;
}

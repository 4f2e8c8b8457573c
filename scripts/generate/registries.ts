// Registries: what a folder holds, as one list. Here that of routes, and what those of jobs (jobs.ts) share with it.
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The names of the TypeScript files right in a folder, without their ending; sorted, the registry left out. */
export const filesIn = (root: string, folder: string): readonly string[] =>
  globSync('*.ts', { cwd: join(root, folder) })
    .filter((name) => name !== 'index.ts')
    .sort()
    .map((name) => basename(name, '.ts'));

/** `agent_person` and `move-nodes` as a TypeScript name: agentPerson, moveNodes. */
export const camel = (name: string): string => name.replace(/[_-](\w)/g, (_, letter: string) => letter.toUpperCase());

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

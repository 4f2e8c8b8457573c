// Which modules a module of the console needs before it runs.
import { expect, it } from 'vitest';
import { modulesOf } from '../../../../apps/api/plugins/console-modules.ts';

const modules: { readonly [path: string]: string } = {
  'a/main.js': `import { x } from './x.js';\nimport '../b/y.js';\nexport * from "./z.js";\nconst later = () => ${'import'}('./later.js');`,
  'a/x.js': `import { h as n } from "views";import{k}from"./main.js";\nconst text = 'not from "./there.js"';`,
  'b/y.js': '',
  'a/z.js': '',
  'a/later.js': '',
  'packages/views.mjs': 'export const h = 1;',
};

it('follows what is imported, in circles too, but not what is imported where it is used', () => {
  const packages = { views: 'packages/views.mjs' };
  expect(modulesOf(['a/main.js'], (path) => modules[path], packages)).toEqual([
    'a/main.js',
    'a/x.js',
    'packages/views.mjs',
    'b/y.js',
    'a/z.js',
  ]);
  expect(modulesOf(['a/later.js', 'b/y.js'], (path) => modules[path], packages)).toEqual(['a/later.js', 'b/y.js']);
});

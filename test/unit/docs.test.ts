// What the documentation names is there: test files and other files of the project, and the pages that it links to.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';

const docs = new URL('../../docs/', import.meta.url);
const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
const textOf = (page: string): string => readFileSync(new URL(page, docs), 'utf8');

it('links to files that exist', () => {
  const broken = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !existsSync(new URL(link, new URL(page, docs))))
      .map((link) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

it('names tests that exist, and for every demand of people at least one', () => {
  const missing = pages.flatMap((page) =>
    [...textOf(page).matchAll(/`(test\/[\w./-]+)`/g)]
      .map(([, path = '']) => path)
      .filter((path) => !existsSync(new URL(`../${path}`, docs)))
      .map((path) => `${page}: ${path}`),
  );
  expect(missing).toEqual([]);
  const rows = [...textOf('guides/demands.md').matchAll(/^\| (\d+) \|.*\| ([^|]*) \|$/gm)];
  expect(rows.map(([, number]) => Number(number))).toEqual(Array.from({ length: 25 }, (_, n) => n + 1));
  expect(rows.filter(([, , shownBy = '']) => !/`test\/[\w./-]+\.test\.ts`/.test(shownBy)).map(([row]) => row)).toEqual(
    [],
  );
});

it('names folders and files of the source that exist', () => {
  const root = new URL('../', docs);
  const named = [
    ...pages.map((page) => ['docs/' + page, textOf(page)]),
    ...['README.md', 'CONTRIBUTING.md'].map((page) => [page, readFileSync(new URL(page, root), 'utf8')]),
  ];
  const missing = named.flatMap(([page = '', text = '']) =>
    [...text.matchAll(/(?<![\w/.:@])((?:apps|libs|scripts|db\/(?:migrations|reference)|deploy)\/[\w./-]*\w)/g)]
      .map(([, path = '']) => path)
      .filter((path) => !path.includes('NNNN') && !existsSync(new URL(path, root)))
      .map((path) => `${page}: ${path}`),
  );
  expect(missing).toEqual([]);
});

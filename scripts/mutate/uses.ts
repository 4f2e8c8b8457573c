// Who uses what, declaration by declaration. Files say too little: nearly every test imports nearly every file, through the whole service,
// but few of them come to the function that was changed within a few steps.
import { targetsOf } from './imports.ts';
import type { SyntaxNode } from './syntax.ts';
import { childOf, childrenOf, parse, walk, wordOf } from './syntax.ts';

/** A declaration at the top of a file, or its name there: `path#name`. `path#` are the statements that declare nothing. */
type Name = string;

/** The declarations of a tree and who uses them. */
export type Uses = {
  /** The names that the statement at the offset of the file declares. */
  readonly declaredAt: (path: string, offset: number) => readonly Name[];
  /** The text of that statement, or of the whole file where none stands there. */
  readonly textAt: (path: string, offset: number) => string;
  /** How many borders of files lie between these names and each file that comes to use one of them. */
  readonly distancesTo: (names: readonly Name[]) => ReadonlyMap<string, number>;
};

type Statement = { readonly start: number; readonly end: number; readonly names: readonly Name[] };

/** Reads the uses from the files (texts by path); `aliases` is `imports` of package.json. */
export function findUses(files: ReadonlyMap<string, string>, aliases: { readonly [alias: string]: string }): Uses {
  const users = new Map<Name, Set<Name>>();
  const statements = new Map<string, readonly Statement[]>();
  for (const [path, text] of files) {
    const resolve = (name: string): string | undefined =>
      targetsOf(path, name, aliases).find((target) => files.has(target) && target !== path);
    const found = readFile(path, parse(text), resolve);
    statements.set(path, found.statements);
    for (const [used, user] of found.uses) users.set(used, (users.get(used) ?? new Set()).add(user));
  }
  const statementAt = (path: string, offset: number): Statement | undefined =>
    statements.get(path)?.find(({ start, end }) => start <= offset && offset < end);
  return {
    declaredAt: (path, offset) => statementAt(path, offset)?.names ?? [`${path}#`],
    textAt: (path, offset) => {
      const { start, end } = statementAt(path, offset) ?? {};
      return files.get(path)?.slice(start, end) ?? '';
    },
    distancesTo: (names) => distances(names, users),
  };
}

function distances(names: readonly Name[], users: ReadonlyMap<Name, ReadonlySet<Name>>): ReadonlyMap<string, number> {
  const byFile = new Map<string, number>();
  const seen = new Set(names);
  let level: readonly Name[] = names;
  for (let distance = 0; level.length > 0; distance++) {
    const next: Name[] = [];
    const here = [...level];
    for (const name of here) {
      const [file = ''] = name.split('#');
      if (!byFile.has(file)) byFile.set(file, distance);
      for (const user of usersOf(name, users)) {
        if (seen.has(user)) continue;
        seen.add(user);
        (user.startsWith(`${file}#`) ? here : next).push(user);
      }
    }
    level = next;
  }
  return byFile;
}

/** Who takes a whole file in takes each of its names; statements that declare nothing have a part in all of them. */
function usersOf(name: Name, users: ReadonlyMap<Name, ReadonlySet<Name>>): readonly Name[] {
  const [file = '', own = ''] = name.split('#');
  const named = [...(users.get(name) ?? []), ...(users.get(`${file}#*`) ?? [])];
  // `export * from` passes a name on as it is.
  return named.map((user) => (user.endsWith('#*') ? user.replace('*', own) : user));
}

type Resolve = (name: string) => string | undefined;
type Read = {
  readonly statements: readonly Statement[];
  readonly uses: readonly (readonly [used: Name, user: Name])[];
};

function readFile(path: string, program: SyntaxNode, resolve: Resolve): Read {
  const body = childrenOf(program, 'body');
  const known = new Map(body.flatMap((statement) => importsOf(statement, resolve)));
  for (const name of body.flatMap(declaredNames)) known.set(name, `${path}#${name}`);
  const statements = body.map((statement) => {
    const names = declaredNames(statement).map((name) => `${path}#${name}`);
    return { start: statement.start, end: statement.end, names: names.length === 0 ? [`${path}#`] : names };
  });
  const uses = body.flatMap((statement, index) => [
    ...passedOn(path, statement, resolve),
    ...usedIn(statement, known, resolve).flatMap((used) =>
      (statements[index]?.names ?? []).filter((user) => user !== used).map((user) => [used, user] as const),
    ),
  ]);
  return { statements, uses };
}

/** The names that an import gives to a file, with what they stand for. */
function importsOf(statement: SyntaxNode, resolve: Resolve): readonly (readonly [string, Name])[] {
  if (statement.type !== 'ImportDeclaration' || statement['importKind'] === 'type') return [];
  const target = resolve(wordOf(childOf(statement, 'source'), 'value'));
  if (target === undefined) return [];
  return childrenOf(statement, 'specifiers')
    .filter((specifier) => specifier['importKind'] !== 'type')
    .map((specifier) => {
      const name = { ImportDefaultSpecifier: 'default', ImportNamespaceSpecifier: '*' }[specifier.type];
      const own = name ?? wordOf(childOf(specifier, 'imported'), 'name');
      return [wordOf(childOf(specifier, 'local'), 'name'), `${target}#${own}`] as const;
    });
}

/** What `export … from` and `export { a as b }` pass on under a name of this file. */
function passedOn(path: string, statement: SyntaxNode, resolve: Resolve): Read['uses'] {
  const target = resolve(wordOf(childOf(statement, 'source'), 'value'));
  if (statement.type === 'ExportAllDeclaration') return target === undefined ? [] : [[`${target}#*`, `${path}#*`]];
  if (statement.type !== 'ExportNamedDeclaration') return [];
  return childrenOf(statement, 'specifiers').map((specifier) => {
    const local = wordOf(childOf(specifier, 'local'), 'name');
    return [`${target ?? path}#${local}`, `${path}#${wordOf(childOf(specifier, 'exported'), 'name')}`] as const;
  });
}

function declaredNames(statement: SyntaxNode): readonly string[] {
  if (statement.type === 'ExportDefaultDeclaration') return ['default'];
  const declaration = statement.type === 'ExportNamedDeclaration' ? childOf(statement, 'declaration') : statement;
  const variables = declaration?.type === 'VariableDeclaration' ? childrenOf(declaration, 'declarations') : [];
  const patterns = [declaration, ...variables].flatMap((node) => childOf(node, 'id') ?? []);
  return patterns
    .flatMap((pattern) => [...walk(pattern)])
    .flatMap(({ node }) => (node.type === 'Identifier' ? wordOf(node, 'name') : []));
}

/** The names that a statement uses, and the files that it names: those it starts or imports when it runs, or for what importing them does. */
function usedIn(statement: SyntaxNode, known: ReadonlyMap<string, Name>, resolve: Resolve): readonly Name[] {
  if (statement.type === 'ImportDeclaration' && childrenOf(statement, 'specifiers').length > 0) return [];
  if (statement['importKind'] === 'type' || statement['exportKind'] === 'type') return [];
  if (childOf(statement, 'source') !== null && statement.type !== 'ImportDeclaration') return [];
  return [...walk(statement)].flatMap(({ node, parents }) => {
    if (node.type === 'Literal') {
      const target = resolve(wordOf(node, 'value'));
      return target === undefined ? [] : [`${target}#*`];
    }
    const parent = parents.at(-1);
    const isMember = parent?.['property'] === node && parent['computed'] !== true;
    return node.type === 'Identifier' && !isMember ? (known.get(wordOf(node, 'name')) ?? []) : [];
  });
}

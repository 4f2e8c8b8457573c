// The rule that generic code names no kinds: whatever works on every kind asks the registry (libs/domain/kinds) what it needs to know.
// It reads text, so it says below what counts as naming a kind.
import type { SourceFile } from './tree.ts';

/** Rooms and files whose very subject is particular kinds, each with the reason. Everything else under libs and apps is generic. */
const roomsOfKinds: readonly (readonly [room: string, subject: string])[] = [
  ['libs/domain/kinds/', 'the declarations themselves'],
  ['libs/domain/subrecords/', 'declarations: what their refs may point at'],
  ['libs/domain/requests/', 'bodies of routes that are about one kind'],
  ['libs/domain/jobs/', 'payloads of jobs that are about one kind'],
  ['libs/domain/formats/', 'EAD is a resource and its components, EAC-CPF an agent: a format is made of kinds'],
  ['libs/domain/spreadsheets/', 'sheets of archival objects and digital objects'],
  ['libs/domain/reports/', 'each report is about one kind'],
  ['libs/domain/batch-import/terms.ts', 'terms that records name'],
  ['libs/domain/containers/', 'top containers'],
  ['libs/domain/locations/', 'locations'],
  ['libs/domain/extents/', 'containers on shelves'],
  ['libs/domain/oai/', 'harvesters get resources and archival objects'],
  ['libs/domain/rules/agent-names.ts', 'names of agents'],
  ['libs/domain/rules/sort-name.ts', 'names of agents'],
  ['libs/migrate/tree-order.ts', 'what stands where in the trees of another service'],
  ['libs/store/access/', 'users and groups'],
  ['libs/store/calculators/', 'the extent of a resource or archival object from its containers'],
  ['libs/store/batch-import/terms.ts', 'terms that records name'],
  ['libs/store/enumerations/vocabularies.ts', 'vocabularies and their terms'],
  ['libs/store/exports/', 'what a format needs beside the record'],
  ['libs/store/locations/', 'containers on shelves'],
  ['libs/store/oai/', 'harvesters get resources and archival objects'],
  ['libs/store/records/writing/service-events.ts', 'events that the service writes'],
  ['libs/store/records/writing/terms.ts', 'terms that records name'],
  ['libs/store/reports/', 'each report is about one kind'],
  ['libs/store/repositories/', 'repositories and their agents'],
  ['libs/store/set-up/reference.ts', 'the repository, groups and users that are there from the start'],
  ['libs/store/settings/', 'preferences and repositories'],
  ['libs/store/spreadsheets/', 'sheets of archival objects and digital objects'],
  ['apps/api/access/', 'users and repositories'],
  ['apps/api/exports/', 'the context of a format'],
  ['apps/api/oai/', 'harvesters get resources and archival objects'],
  ['apps/api/routes/', 'routes of their own, about one kind'],
  ['apps/api/openapi/shapes/', 'what routes of their own answer'],
  ['apps/cli/', 'commands about one kind'],
  ['apps/console/', 'people see each kind in its own way'],
  ['apps/worker/formats/', 'the context of a format'],
  ['apps/worker/job-steps/', 'steps of jobs that are about one kind'],
  ['apps/worker/jobs/', 'jobs that are about one kind'],
];

// Names of kinds that are words of their own: they are taken for kinds only where they are used as one.
const plainWords = new Set(['resource', 'accession', 'assessment']);
const isUnmistakable = (name: string): boolean => name.includes('_') || plainWords.has(name);

// What stands before a quoted name that makes it a property: body['…'], objectOf(body, '…'), body->'…', property = '…'.
const asProperty =
  /(?:[\w)\]]\??\.?\[|\b\w+Of\((?:[^()]|\([^()]*\))*,\s*|->>?\s*|\bproperty\s*(?:=|<>|[!=]==)\s*|\bproperty:\s*|\binstance_type:\s*)$/;
// What stands before a quoted name that makes it a kind, where the word may mean something else as well.
const asKind =
  /(?:(?:\b\w*kind|\bjsonmodel_type|\bprimary_type|Kind)(?:\.name|'\])?\s*(?::|=|<>|[!=]==)\s*|\bkind\w*(?:\.\w+)?\(\s*|\bkinds\.get\(\s*|\bkind\s+(?:NOT\s+)?IN\s*\((?:\s*'\w+',)*\s*|\bkind\s*(?:=|<>)\s*(?:ANY|ALL)\s*\(\s*ARRAY\s*\[(?:\s*'\w+',)*\s*)$/i;

/** The names of the kinds: those of the files that declare them. */
export function kindNamesOf(files: readonly SourceFile[]): ReadonlySet<string> {
  const names = files.flatMap(({ path }) => /^libs\/domain\/kinds\/([^/]+)\.ts$/.exec(path)?.[1] ?? []);
  return new Set(names.filter((name) => name !== 'index'));
}

/**
 * The file's path for each kind that generic code names in quotes, in code or in SQL. A name that can mean nothing else (with an
 * underscore, `resource`, `accession`, `assessment`) counts unless it is a property; a word that has other meanings (`event`, `user`)
 * where it is compared with a kind, given as one, looked up as one, or stands in a list of names of kinds alone.
 */
export function namedKinds(file: SourceFile, names: ReadonlySet<string>): readonly string[] {
  if (!/^(?:libs|apps)\//.test(file.path) || roomsOfKinds.some(([room]) => file.path.startsWith(room))) return [];
  return quotedNames(file.code, isAboutQueries(file) ? withoutWords(names, ['term', 'group']) : names).map(
    () => file.path,
  );
}

/** Nodes of queries have kinds of their own, two of which are called as kinds of records are. */
const isAboutQueries = ({ path, code }: SourceFile): boolean =>
  path.startsWith('libs/domain/search/query/') ||
  code.includes('/search/query/ast.ts') ||
  code.includes('/query/ast.ts');

const withoutWords = (names: ReadonlySet<string>, words: readonly string[]): ReadonlySet<string> =>
  new Set([...names].filter((name) => !words.includes(name)));

/** The places in the code where kinds are named. */
function quotedNames(code: string, names: ReadonlySet<string>): readonly number[] {
  return [...code.matchAll(/(['"`])([a-z_]+)\1/g)].flatMap((match) => {
    const name = match[2] ?? '';
    if (!names.has(name)) return [];
    const before = code.slice(Math.max(0, match.index - 160), match.index);
    const counts = isUnmistakable(name)
      ? !asProperty.test(before)
      : asKind.test(before) || (!asProperty.test(before) && isAmongKinds(code, match.index, names));
    return counts ? [match.index] : [];
  });
}

/** Whether a quoted word stands in a list of two or more, all of them names of kinds. */
function isAmongKinds(code: string, at: number, names: ReadonlySet<string>): boolean {
  const open = code.lastIndexOf('[', at);
  const close = code.indexOf(']', at);
  if (open === -1 || close === -1) return false;
  const items = code
    .slice(open + 1, close)
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  return items.length > 1 && items.every((item) => /^(['"]).*\1$/.test(item) && names.has(item.slice(1, -1)));
}

// The syntax tree of a search query and its printer. Readers of query text (lucene.ts, the structured queries of
// query/advanced.ts) make it; query/compile.ts turns it into what an index adapter understands.

/** How a clause takes part in its group: it must match, it may match (and then raises the score), it must not match. */
type Occur = 'must' | 'should' | 'not';

/** One member of a group. */
export type Clause = { readonly occur: Occur; readonly node: QueryNode };

/** Words to find; `text` may be a run such as `MS.2011-04`, the analyser takes it apart. No field: everywhere. */
export type TermNode = { readonly kind: 'term'; readonly field?: string; readonly text: string };

/** Words in sequence; `slop` > 0 allows so many moves (`"a b"~slop`). */
export type PhraseNode = {
  readonly kind: 'phrase';
  readonly field?: string;
  readonly text: string;
  readonly slop: number;
};

/** A pattern with live `*` and `?`; a literal `*`, `?` or backslash in it is preceded by a backslash. */
type WildcardNode = { readonly kind: 'wildcard'; readonly field?: string; readonly pattern: string };

/** A word within an edit distance of 1 or 2. */
type FuzzyNode = {
  readonly kind: 'fuzzy';
  readonly field?: string;
  readonly text: string;
  readonly distance: number;
};

/** Values between two bounds; an absent bound is open (`*`). */
export type RangeNode = {
  readonly kind: 'range';
  readonly field: string;
  readonly from?: string;
  readonly to?: string;
  readonly includesFrom: boolean;
  readonly includesTo: boolean;
};

/** Clauses with their occurrence. Without a `must` clause at least one `should` matches; with only `not`, all the rest. */
type GroupNode = { readonly kind: 'group'; readonly clauses: readonly Clause[] };

/** A factor on the score of a node; `isConstant`: the factor replaces the score (`^=n`). */
type BoostNode = {
  readonly kind: 'boost';
  readonly node: QueryNode;
  readonly factor: number;
  readonly isConstant: boolean;
};

/** A query. `all` is `*:*`; `exists` is `field:*`. */
export type QueryNode =
  | { readonly kind: 'all' }
  | { readonly kind: 'exists'; readonly field: string }
  | TermNode
  | PhraseNode
  | WildcardNode
  | FuzzyNode
  | RangeNode
  | GroupNode
  | BoostNode;

/** Prints a query as text that parses to an equal tree, given that the parser knows its fields. */
export function printQuery(node: QueryNode): string {
  switch (node.kind) {
    case 'all':
      return '*:*';
    case 'exists':
      return `${node.field}:*`;
    case 'term':
      return printField(node.field) + escapeTerm(node.text);
    case 'phrase':
      return `${printField(node.field)}"${node.text.replace(/["\\]/g, '\\$&')}"${node.slop > 0 ? `~${node.slop}` : ''}`;
    case 'wildcard':
      return printField(node.field) + escapePattern(node.pattern);
    case 'fuzzy':
      return `${printField(node.field)}${escapeTerm(node.text)}~${node.distance}`;
    case 'range':
      return `${node.field}:${node.includesFrom ? '[' : '{'}${printBound(node.from)} TO ${printBound(node.to)}${node.includesTo ? ']' : '}'}`;
    case 'boost':
      return `${printNested(node.node, node.node.kind === 'boost')}^${node.isConstant ? '=' : ''}${node.factor}`;
    case 'group':
      return printClauses(node.clauses);
  }
}

/** Gives every node without a field this one: what `title:(a b)` means. */
export function withField(node: QueryNode, field: string): QueryNode {
  switch (node.kind) {
    case 'all':
      return { kind: 'exists', field };
    case 'term':
    case 'phrase':
    case 'wildcard':
    case 'fuzzy':
      return node.field === undefined ? { ...node, field } : node;
    case 'boost':
      return { ...node, node: withField(node.node, field) };
    case 'group':
      return {
        kind: 'group',
        clauses: node.clauses.map((clause) => ({ ...clause, node: withField(clause.node, field) })),
      };
    default:
      return node;
  }
}

/** Escapes a text so that the parser reads it as one term without syntax. */
export function escapeTerm(text: string): string {
  if (text === 'AND' || text === 'OR' || text === 'NOT') {
    return `\\${text}`;
  }
  return text.replace(/[\\"()[\]{}^~*?:\s]|^[-+!/]|&(?=&)|\|(?=\|)/gu, '\\$&');
}

function escapePattern(pattern: string): string {
  return pattern.replace(/\\[^]|["()[\]{}^~:\s]|^[-+!/]|&(?=&)|\|(?=\|)/gu, (found) =>
    found.length === 2 ? found : `\\${found}`,
  );
}

function printField(field: string | undefined): string {
  return field === undefined ? '' : `${field}:`;
}

// Quoted unless plain: a bound may hold blanks, brackets or be a literal star.
function printBound(bound: string | undefined): string {
  if (bound === undefined) {
    return '*';
  }
  return /^[\p{L}\p{N}_:.+\-/]+$/u.test(bound) && bound !== 'TO' ? bound : `"${bound.replace(/["\\]/g, '\\$&')}"`;
}

function printNested(node: QueryNode, isWrapped: boolean): string {
  return node.kind === 'group' || isWrapped ? `(${printQuery(node)})` : printQuery(node);
}

// Neighbouring `should` clauses are joined by OR; that is the only way the parser makes them.
function printClauses(clauses: readonly Clause[]): string {
  return clauses
    .map(({ occur, node }, index) => {
      const text = printNested(node, false);
      const before = clauses[index - 1];
      const glue = before === undefined ? '' : occur === 'should' && before.occur === 'should' ? ' OR ' : ' ';
      return `${glue}${occur === 'not' ? '-' : ''}${text}`;
    })
    .join('');
}

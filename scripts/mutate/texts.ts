// Which string literals are worth emptying: not names of modules, keys, SQL (its tests would only meet a syntax error) or what is
// written for readers of the documentation.
import type { Place } from './syntax.ts';
import { childOf, wordOf } from './syntax.ts';

const sql =
  /\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|DROP|FROM|WHERE|JOIN|VALUES|ORDER BY|RETURNING|LOCK)\b/;
const forReaders = new Set(['doc', 'summary', 'area', 'description']);
const modules = [
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'ImportAttribute',
];

/** Whether the node is a string literal or an untagged template with something in it that the program works with. */
export function isOrdinaryText({ node, parents }: Place, source: string): boolean {
  const isTemplate = node.type === 'TemplateLiteral';
  if (!isTemplate && !(node.type === 'Literal' && typeof node['value'] === 'string')) return false;
  if (node.end - node.start <= 2 || sql.test(source.slice(node.start, node.end))) return false;
  const parent = parents.at(-1);
  if (parent === undefined || modules.includes(parent.type) || parent.type === 'TaggedTemplateExpression') return false;
  if (parent['key'] === node || (parent.type === 'ExpressionStatement' && !isTemplate)) return false;
  if (parent.type === 'Property' && forReaders.has(wordOf(childOf(parent, 'key'), 'name'))) return false;
  return !(parent.type === 'NewExpression' && wordOf(childOf(parent, 'callee'), 'name') === 'URL');
}

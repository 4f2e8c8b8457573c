// Mutants: the files that have some, each small change of a file with a lasting name, and the order in which a seed draws them.
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { exempt } from '../check-tree/rules.ts';
import type { Edit } from './edits.ts';
import { applyEdit } from './edits.ts';
import { isExample } from './noise.ts';
import { operators } from './operators.ts';
import type { SyntaxNode } from './syntax.ts';
import { childOf, parse, walk, wordOf } from './syntax.ts';

/** One small change of a file. `id` stays the same as long as the line and the path do. */
export type Mutant = {
  readonly id: string;
  readonly path: string;
  readonly line: number;
  readonly operator: string;
  readonly weight: number;
  readonly before: string;
  readonly after: string;
  readonly edit: Edit;
};

/** Whether a file is the product's own code: no test, no program's entry, nothing generated, no data table. */
export function isMutable(path: string, text: string): boolean {
  return (
    /^(?:libs|apps)\/.*\.ts$/.test(path) &&
    !path.endsWith('.d.ts') &&
    basename(path) !== 'main.ts' &&
    !exempt.test(text.split('\n', 1)[0] ?? '')
  );
}

/** All mutants of a file, in the order of its text. */
export function mutantsOf(path: string, text: string): readonly Mutant[] {
  const seen = new Map<string, number>();
  return [...walk(parse(text), (node) => !isInternalError(node))]
    .filter((place) => !isExample(place))
    .flatMap((place) =>
      operators.flatMap(({ name, weight, edits }) =>
        edits(place, text).map((edit) => ({ operator: name, weight, edit })),
      ),
    )
    .toSorted((one, other) => one.edit.start - other.edit.start)
    .map(({ operator, weight, edit }) => {
      const shown = { before: excerpt(text, edit, null), after: excerpt(text, edit, edit.text) };
      const name = [path, operator, shown.before, shown.after].join('\0');
      const nth = seen.get(name) ?? 0;
      seen.set(name, nth + 1);
      const line = text.slice(0, edit.start).split('\n').length;
      return { id: digest(`${name}\0${nth}`).slice(0, 10), path, line, operator, weight, ...shown, edit };
    });
}

/**
 * The mutants as the seed draws them. Each has its own place by chance, whatever others there are, so a change of one file leaves the
 * draws from the others alone. Places are weighted by operator (the logarithm of a uniform number over the weight).
 */
export function drawOrder(mutants: readonly Mutant[], seed: number): readonly Mutant[] {
  return mutants
    .map((mutant) => {
      const chance = (Number.parseInt(digest(`${seed}\0${mutant.id}`).slice(0, 12), 16) + 1) / (2 ** 48 + 1);
      return { mutant, turn: -Math.log(chance) / mutant.weight };
    })
    .toSorted((one, other) => one.turn - other.turn || (one.mutant.id < other.mutant.id ? -1 : 1))
    .map(({ mutant }) => mutant);
}

/** The file's text with the mutant's change. */
export function mutatedText(text: string, mutant: Mutant): string {
  return applyEdit(text, mutant.edit);
}

/** `new Error(…)` is a mistake of ours that nobody meets; what clients can cause has other ways to be told. */
function isInternalError(node: SyntaxNode): boolean {
  return node.type === 'NewExpression' && wordOf(childOf(node, 'callee'), 'name') === 'Error';
}

/** The line of an edit as it was (`text` null) or is, cut to what is around the edit. */
function excerpt(source: string, edit: Edit, text: string | null): string {
  const lineStart = source.lastIndexOf('\n', edit.start - 1) + 1;
  const lineEnd = source.indexOf('\n', edit.end);
  const before = onOneLine(source.slice(lineStart, edit.start)).trimStart();
  const after = onOneLine(source.slice(edit.end, lineEnd < 0 ? undefined : lineEnd)).trimEnd();
  const within = onOneLine(text ?? source.slice(edit.start, edit.end));
  const shortened = within.length > 90 ? `${within.slice(0, 60)} … ${within.slice(-25)}` : within;
  return [
    before.length > 50 ? `…${before.slice(-49)}` : before,
    shortened,
    after.length > 50 ? `${after.slice(0, 49)}…` : after,
  ].join('');
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

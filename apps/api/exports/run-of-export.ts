// A run of the components of a large export: what a thread is told to write, and the writing of it.
import { kindNamed } from '#domain/addresses.ts';
import type { Export } from '#domain/formats/define-export.ts';
import { allExports } from '#domain/formats/exports.ts';
import type { ExportContext } from '#domain/formats/writing/context.ts';
import type { RunParts, TreeRun } from '#domain/formats/writing/tree-runs.ts';
import { writeRun } from '#domain/formats/writing/tree-runs.ts';
import { fail } from '#domain/errors.ts';
import type { Database, DatabaseSettings } from '#store/connection/database.ts';
import type { Resolving } from '#store/exports/read-tree.ts';
import { makeHiding, readPart } from '#store/exports/read-tree.ts';
import type { ResolveViewer } from '#store/records/reading/resolve.ts';
import type { Outline } from '#store/trees/outline.ts';

/** An export whose components are written apart from each other. */
export type ExportInParts = Extract<Export, { reads: 'tree' }> & { readonly parts: NonNullable<unknown> };

/** Which document it is, as data: it is copied into threads. */
export type DocumentAsked = {
  /** One for each document of a process: what its refs lead to is kept until another one is written. */
  readonly number: number;
  /** The export, and the values of its options. */
  readonly name: string;
  readonly options: { readonly [name: string]: unknown };
  readonly kind: string;
  readonly repoId: number;
  readonly publishedOnly: boolean;
  readonly resolve: readonly string[];
  readonly viewer: Omit<ResolveViewer, 'mayView'>;
  /** The repositories whose records the caller may view. */
  readonly views: 'all' | readonly number[];
  readonly context: Omit<ExportContext, 'label'>;
  readonly deepest: number;
  readonly from: Pick<DatabaseSettings, 'url' | 'isReplica'>;
};

/** A run, and below which depth nothing of its beginning is shown, since a component before it is hidden. */
export type RunAsked = { readonly document: DocumentAsked; readonly part: Outline; readonly hiddenBelow?: number };

/** A run as it was written; `hiddenBelow`: the same for the one behind it. */
export type RunWritten = TreeRun & { readonly hiddenBelow: number };

/** The export of a name. */
export function exportInParts(name: string): ExportInParts {
  const found = allExports.find((each) => each.name === name);
  if (found?.reads !== 'tree' || found.parts === undefined) throw fail('internal', `${name} is not written in parts`);
  return { ...found, parts: found.parts };
}

/** Writes a run with the parts that are given: its own, or those of the whole document. */
export async function writeRunOf(
  database: Database,
  { document, part, hiddenBelow }: RunAsked,
  resolving: Resolving,
  parts: RunParts,
): Promise<RunWritten> {
  const { publishedOnly, views } = document;
  const hiding = hiddenBelow === undefined ? makeHiding() : { below: hiddenBelow };
  const blocks = readPart(database, { kind: kindNamed(document.kind), repoId: document.repoId }, part, {
    publishedOnly,
    viewer: { ...document.viewer, mayView: (repoId) => views === 'all' || views.includes(repoId) },
    resolving,
    hiding,
  });
  return { ...(await writeRun(blocks, parts)), hiddenBelow: hiding.below };
}

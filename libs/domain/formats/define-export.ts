// defineExport(): a document that is made from records, as data and a writer. From the declaration follow its route and the one that tells
// its file name (apps/api/record-routes/exports.ts), its place in the documentation, and what harvesters may ask for (oai/prefixes.ts).
// A standard declares its exports in formats/<standard>/export.ts; `npm run generate` lists them.
import type { WireJob } from '../job.ts';
import type { JsonObject } from '../json.ts';
import type { HarvestedKind } from './oai/format.ts';
import type { ExportContext } from './writing/context.ts';
import type { DigitalTree } from './writing/digital-tree.ts';
import type { RunParts } from './writing/tree-runs.ts';
import type { TreeRecord } from './writing/tree-stream.ts';

/** A parameter that an export takes in the query; T is what its writer gets. */
export type ExportOption<T> = {
  readonly type: 'flag' | 'text' | 'component' | 'refs';
  readonly doc: string;
  /** What is documented where the parameter is absent; without it a flag is off, and anything else null. */
  readonly default?: T;
};

type Maker<T> = (about: { readonly doc: string; readonly default?: T }) => ExportOption<T>;

/** `true` or `false`. */
export const flag: Maker<boolean> = (about) => ({ ...about, type: 'flag' });
/** Any text, or null. */
export const textOption: Maker<string | null> = (about) => ({ ...about, type: 'text' });
/** The id of a record of the tree, or null. */
export const componentOption: Maker<number | null> = (about) => ({ ...about, type: 'component' });
/** Names of refs, as `resolve` takes them. */
export const refsOption = (about: {
  readonly doc: string;
  readonly default: readonly string[];
}): ExportOption<readonly string[]> => ({ ...about, type: 'refs' });

/** The parameters of an export by name. */
export type ExportOptions = { readonly [name: string]: ExportOption<unknown> };

/** The values of parameters, as writers get them. */
export type OptionValues<O extends ExportOptions> = {
  readonly [K in keyof O]: O[K] extends ExportOption<infer T> ? T : never;
};

/** A record that names the one that is written: its uri, its title and the role it gives it. */
export type LinkedRecord = { readonly uri: string; readonly title: string; readonly role: string };

/** A record with its refs resolved. `linkedFrom`: the records that name it and that the caller may know of, where they are asked for. */
export type RecordSource = { readonly record: JsonObject; readonly linkedFrom: readonly LinkedRecord[] };

/** A record with the components below it in reading order, in blocks; refs of all are resolved. `deepest` is 0 without components. */
export type TreeSource = {
  readonly root: JsonObject;
  /** The components of the levels that the declaration asks for (`groups`), for a list before them all; refs are not resolved. */
  readonly groups?: readonly TreeRecord[];
  readonly blocks: AsyncIterable<readonly TreeRecord[]>;
  readonly deepest: number;
};

type Writer<Source, O extends ExportOptions, Text> = (
  source: Source,
  context: ExportContext,
  options: OptionValues<O>,
) => Text;

/** How harvesters get a document: its prefix in OAI-PMH, and what ListMetadataFormats says of it. */
type Harvest<Write> = {
  readonly prefix: string;
  readonly schema: string;
  readonly namespace: string;
  readonly kinds: readonly HarvestedKind[];
  /** The contract's place in ListMetadataFormats, from 1; prefixes without one follow by name. */
  readonly place?: number;
  /**
   * Writes for harvesters, where that differs from what clients get without parameters. One element, with or without an XML declaration,
   * with all its namespaces declared; of a record as publicRecord (oai/public-record.ts) gives it.
   */
  readonly write?: Write;
};

/** What an export reads, and the writer that gets it. Writers read nothing themselves. */
type Reading<O extends ExportOptions> =
  | {
      /** One record, with `refs` resolved (as `resolve` names them); those of its repository are resolved, too. */
      readonly reads: 'record';
      readonly refs: readonly string[];
      /** Whether the writer needs the records that name this one. */
      readonly readsLinkedFrom?: true;
      readonly write: Writer<RecordSource, O, string>;
      readonly oai?: Harvest<Writer<RecordSource, O, string>>;
    }
  | {
      /** A digital object with its components, all in memory. */
      readonly reads: 'digital object';
      readonly write: Writer<DigitalTree, O, string>;
    }
  | {
      /** A root and its whole tree, streamed. */
      readonly reads: 'tree';
      readonly refs: readonly string[] | ((options: OptionValues<O>) => readonly string[]);
      /** Whether components carry what a GET computes for them. */
      readonly computed?: true;
      /** Levels of description whose components the writer gets before all. */
      readonly groups?: readonly string[];
      /** The component after which to begin; null: at the beginning. */
      readonly after?: (options: OptionValues<O>) => number | null;
      readonly write: Writer<TreeSource, O, AsyncIterable<string>>;
      /**
       * The parts of the same document, where its components can be written apart from each other: then threads write those of a large tree.
       * Only what `head` writes may hang on the root, which threads do not get.
       */
      readonly parts?: Writer<Pick<TreeSource, 'root' | 'deepest'>, O, RunParts>;
      readonly oai?: Harvest<Writer<TreeSource, O, AsyncIterable<string>>>;
    }
  | {
      /** Nothing: a job makes the file, and the request waits for it. `jobOf` gives its parameters for the uri of a record. */
      readonly reads: 'job';
      readonly job: WireJob;
      readonly jobOf: (uri: string, options: OptionValues<O>) => JsonObject;
    };

/** What the companion `….:fmt/metadata` tells: `BASE_<moment>_SUFFIX`. */
export type ExportFile = {
  readonly summary: string;
  readonly base: (record: JsonObject) => string;
  /** As text, or from the `fmt` of the path. */
  readonly suffix: string | ((format: string) => string);
  /** The media type of the export, unless it hangs on the `fmt` of the path. */
  readonly mediaType?: (format: string) => string;
  /** Parameters that the companion takes and heeds not. */
  readonly options?: ExportOptions;
  /** The name in the documentation. */
  readonly example: string;
};

/** A declaration. */
export type ExportDeclaration<O extends ExportOptions> = Reading<O> & {
  /** Where each kind that is exported has it: '/repositories/:repo_id/…/:id.xml'. None where only harvesters get it. */
  readonly paths: { readonly [kind: string]: string };
  /** What clients call it by: `Ead` makes exportResourceAsEad. */
  readonly name: string;
  readonly summary: string;
  readonly doc?: string;
  /** What the document is, for the documentation. */
  readonly says: string;
  /** All text is UTF-8, and Content-Type says so; XML says it itself. */
  readonly mediaType: string;
  /** `public`: whoever may not view the repository gets what is published. */
  readonly access: 'public' | 'view_repository';
  /** The parameter that asks for what is unpublished as well; `always` where that is always written. */
  readonly unpublished: (keyof O & string) | 'always' | 'never';
  readonly options: O;
  /** Refusals of its own, by status. */
  readonly refusals?: { readonly [S in 400 | 403 | 404]?: string };
  /** Another export that answers in its place: the end of its path, or null; where the client is sent with the same query. */
  readonly sentOn?: {
    readonly says: string;
    readonly to: (options: OptionValues<O>, release: ExportContext['release']) => string | null;
  };
  /** The release of the interface that alone has it; it is served in both. */
  readonly release?: ExportContext['release'];
  readonly file?: ExportFile;
};

/** An export as registries hold it: its options have passed the declaration when its functions are called. */
export type Export = ExportDeclaration<ExportOptions>;

/** Declares an export. Throws at load time where a path lacks what identifies a record. */
export function defineExport<const O extends ExportOptions>(declaration: ExportDeclaration<O>): Export {
  for (const path of Object.values(declaration.paths))
    if (!path.startsWith('/repositories/:repo_id/') || !path.includes('/:id'))
      throw new Error(`${path}: the path of an export names its repository and its record`);
  // Whoever calls its functions builds the values from this very declaration (valuesOf), so they have the types inferred from it.
  return declaration as unknown as Export;
}

/** A format that only harvesters get. */
type Harvested =
  | { readonly reads: 'record'; readonly oai: Harvest<never>; readonly write: Writer<RecordSource, {}, string> }
  | {
      readonly reads: 'tree';
      readonly oai: Harvest<never>;
      readonly write: Writer<TreeSource, {}, AsyncIterable<string>>;
    };

/** Declares what goes out over OAI-PMH alone. */
export function defineHarvested(declaration: Harvested): Export {
  return defineExport({
    ...declaration,
    refs: [],
    paths: {},
    name: declaration.oai.prefix,
    summary: declaration.oai.prefix,
    says: 'For harvesters.',
    mediaType: 'application/xml',
    access: 'public',
    unpublished: 'never',
    options: {},
  });
}

/** What functions of an export get for its options: `given`, or else what stands for an absent one. */
export function valuesOf(
  options: ExportOptions,
  given: { readonly [name: string]: unknown } = {},
): OptionValues<ExportOptions> {
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => [
      name,
      given[name] ?? option.default ?? (option.type === 'flag' ? false : null),
    ]),
  );
}

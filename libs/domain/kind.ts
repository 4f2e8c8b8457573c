// defineKind(): the declaration of a stored record kind, from which routes, storage, links, uniqueness, permissions,
// labels, resolve, OpenAPI and search follow (docs/decisions/0003). One kind, one file in kinds/.
import type { JsonObject } from './json.ts';
import { arkUniqueness } from './identifiers/arks.ts';
import type { Naming } from './identifiers/naming.ts';
import { slugUniqueness } from './identifiers/slugs.ts';
import type { UniqueRule } from './identifiers/unique-rule.ts';
import type { Properties, Rule, Schema } from './schema/property.ts';
import type { KindSearch } from './search/declaration.ts';
import type { ShownInTrees } from './tree/shown.ts';

/** The permission that an operation needs, or 'public' where the contract asks for no session. */
export type Permission = string;

/** The operations that the uniform routes offer, with the permission of each; an operation left out has no route. */
type Permissions = {
  readonly read: Permission | 'public';
  readonly create?: Permission;
  readonly update?: Permission;
  readonly delete?: Permission;
  readonly publish?: Permission;
  readonly unpublish?: Permission;
  readonly suppress?: Permission;
  /** Needed in both repositories (contract 5.3). */
  readonly transfer?: Permission;
  /** Needed to merge records of the kind into one (contract 5.6). */
  readonly merge?: Permission;
};

/** What happens to a record whose link target is deleted: the ref goes, the sub-record that holds it goes, or the delete is refused. */
export type WhenTargetGoes = 'drop_ref' | 'drop_part' | { readonly refuse: string };

/**
 * Where links of a kind sit, by property path pattern without indexes ('instances.sub_container.top_container').
 * 'drop_part' takes the element of the outermost list ('instances'). Paths that are not named: 'drop_ref'.
 */
export type LinkRules = { readonly [path: string]: { readonly whenTargetGoes: WhenTargetGoes } };

/**
 * A property that both sides of a link may write (contract 3.3): such links are rows alone, in no body, and are read
 * from either side. `inverse` turns the link's own properties into what the far side shows (opposite relator).
 */
export type MutualLink = { readonly relation: string; readonly inverse?: (ref: JsonObject) => JsonObject };

/**
 * A kind whose records are ordered under a root: names of the properties that hold the place, and the number of the kind
 * in tree tables. The root, parent and position are kept in those tables, not in bodies.
 */
export type TreeNode = {
  readonly root: string;
  readonly rootProperty: string;
  readonly parentProperty: 'parent';
  readonly code: number;
  /** What tree answers show of such nodes and their root, beside the common keys; `identifier` where nothing is declared. */
  readonly shows?: ShownInTrees;
  /** The level that `ancestors` and trees show for a body of this kind; components of digital objects have none. */
  readonly level?: (body: JsonObject) => string | null;
  /** Whether `POST …/children` makes several nodes at once (contract 5.4); terms of classifications have no such route. */
  readonly batchCreate?: true;
  /** Whether `GET …/previous` answers the node before one. */
  readonly showsPrevious?: true;
};

/**
 * Whose saves change what replies show of records of this kind, so that lists by `modified_since` name these too (contract 6.4, 6.5, 6.7, 6.10,
 * 7.3). What stands in one tree is concerned by its root and what is above without a word.
 */
export type ModifiedWith = {
  /** Kinds that records of this one link to. */
  readonly targets?: readonly string[];
  /** Kinds that link to records of this one. */
  readonly sources?: readonly string[];
  /** Of roots: a kind that the root or anything below it names by a property, at any depth of its own tree. */
  readonly shownInTree?: { readonly kind: string; readonly property: string };
};

/** A check of a link that needs the body of its target: gives the problem with its path below the ref, or null. */
type TargetRule = {
  /** The property of the refs, without indexes. */
  readonly property: string;
  /** Whether the target must be looked at; false for most refs, which then cost nothing. */
  readonly concerns: (ref: JsonObject) => boolean;
  readonly check: (ref: JsonObject, target: JsonObject) => { readonly path: string; readonly message: string } | null;
};

/** What generating functions may use: values that the pure code cannot make itself. */
export type GeneratedValues = {
  /** 32 lower-case hexadecimal characters, new at each call. */
  readonly newHexId: () => string;
  /** The `publish` default of the caller. */
  readonly publishDefault: boolean;
  /** How slugs and ARKs are made; absent: neither is. */
  readonly naming?: Naming;
};

/** A declaration of a stored record kind. */
export type KindDeclaration = {
  /** `jsonmodel_type` on the wire. */
  readonly name: string;
  /** URI template: '/repositories/:repo_id/accessions/:id' or '/subjects/:id'. */
  readonly uri: string;
  /** The words of "… not found" (contract 1.3): 'ArchivalObject'. */
  readonly model: string;
  /** What the thing is to an archivist; becomes its page in the docs. */
  readonly doc: string;
  readonly properties: Properties;
  readonly rules?: readonly Rule[];
  /** Rules that see the body with its defaults, and are reported where everything else passed. */
  readonly lateRules?: readonly Rule[];
  /** Whether clients set a `publish` flag, which takes the caller's default when absent. Left out where the property is always true (subjects). */
  readonly publishable?: boolean;
  readonly suppressible?: boolean;
  readonly may: Permissions;
  /** Kinds with routes of their own for create, update or delete (users, groups) switch the uniform ones off. */
  readonly uniform?: false;
  readonly unique?: readonly UniqueRule[];
  /** Whether records of the kind may live in the hidden global repository (contract 2.6, R-B). */
  readonly inGlobalRepository?: true;
  /** How GET of the plural answers: in pages (the default), all records as a plain array without parameters, or by a route of its own. */
  readonly listing?: 'pages' | 'array' | 'own';
  /** Who may list, where that differs from who may read one: holders of any of these. */
  readonly listedBy?: readonly Permission[];
  /** Names of unique rules by which an import uses an equal stored record in place of one in the batch (contract trees-and-jobs 2.3). */
  readonly reusedBy?: readonly string[];
  /** Text properties by which lookups find records (contract 4.3): each has an index in the partition of the kind. */
  readonly lookups?: readonly string[];
  /** Records that nobody may delete, whatever they may do otherwise: a 403. */
  readonly undeletable?: (body: JsonObject) => boolean;
  readonly links?: LinkRules;
  readonly modifiedWith?: ModifiedWith;
  /** Checks of links that need the target's body. */
  readonly targets?: readonly TargetRule[];
  /** Properties that hold links written from both sides, by property name. */
  readonly mutual?: { readonly [property: string]: MutualLink };
  /** The property that names the records it tells of, and does nothing else (events, assessments): it goes to another repository with them, or is copied (contract 5.3). */
  readonly tellsOf?: string;
  /** Records that stay where they are when all of a repository goes to another one: its groups and its preferences. */
  readonly staysInRepository?: true;
  /** Found by its unique key, or made, wherever a body names it; a batch may bring it though no route creates it (terms). */
  readonly madeWhenNamed?: true;
  /** Its routes give it its slug (repositories); other kinds that have one get it with each save. */
  readonly ownSlug?: true;
  readonly tree?: TreeNode;
  /** Values generated from the body itself before it is stored (ids, sort names, chosen files); runs after checking, defaults and publish flags. `old` is the stored body on update. */
  readonly generate?: (body: JsonObject, generatedValues: GeneratedValues, old: JsonObject | null) => JsonObject;
  /** What of a stored body follows from the `publish` flags of its parts, chosen anew after they were set together (contract 5.1). */
  readonly whenPublished?: (body: JsonObject) => JsonObject;
  /** The text that stands for the record in lists, trees and search. */
  readonly label: (body: JsonObject) => string;
  /** Wire property under which the label is shown (title, display_string), or null where the body holds it itself. */
  readonly labelProperty: 'title' | 'display_string' | null;
  /** Read-only properties that depend on other rows, by name of a file in libs/store/records/reading/computed. */
  readonly computed?: readonly string[];
  /** Rewrites a record as it is read, for what neither the body nor SQL can say alone. Costs a parse of each, so it is for kinds that are few. */
  readonly show?: (record: JsonObject) => JsonObject;
  /** How searches find the records; absent: by their label and texts. False: they are not found. */
  readonly search?: KindSearch | false;
  /** Whether replies say `stale: true` (contract 1.2: kinds with generated values). */
  readonly stale: boolean;
  /** A minimal valid body; refs may be written as '@kind' and stand for a record made first. */
  readonly example: JsonObject;
  /** The id of the first record that a client makes in a new installation, where the service makes some itself. Default: 1. */
  readonly firstId?: number;
};

/** A kind as the machinery sees it: the declaration with what follows from it. */
export type Kind = KindDeclaration & {
  readonly schema: Schema;
  /** 'repository' where the uri begins below a repository. */
  readonly scope: 'repository' | 'global';
  /** The plural of the uri: 'accessions', 'people'. */
  readonly plural: string;
  /** The lists that are shown to some alone, by name. */
  readonly confidential: readonly string[];
};

/** Completes a declaration; throws at load time where it contradicts itself. */
export function defineKind(declaration: KindDeclaration): Kind {
  const segments = declaration.uri.split('/');
  const plural = segments.at(-2);
  if (segments.at(-1) !== ':id' || plural === undefined)
    throw new Error(`kind ${declaration.name}: the uri must end in /:id`);
  const scope = declaration.uri.startsWith('/repositories/:repo_id/') ? 'repository' : 'global';
  const schema: Schema = {
    name: declaration.name,
    properties: declaration.properties,
    audited: true,
    ...(declaration.rules === undefined ? {} : { rules: declaration.rules }),
    ...(declaration.lateRules === undefined ? {} : { lateRules: declaration.lateRules }),
    ...(declaration.publishable === undefined ? {} : { publishable: declaration.publishable }),
  };
  // Slugs and ARKs are unique over all kinds that have them.
  const { properties } = declaration;
  const named = [
    ...(properties['slug'] === undefined ? [] : [slugUniqueness]),
    ...(properties['ark_name'] === undefined ? [] : arkUniqueness),
  ];
  const unique = [...(declaration.unique ?? []), ...named];
  const confidential = Object.entries(properties).flatMap(([name, property]) =>
    property.type === 'list' && property.confidential === true ? [name] : [],
  );
  return { ...declaration, ...(unique.length === 0 ? {} : { unique }), schema, scope, plural, confidential };
}

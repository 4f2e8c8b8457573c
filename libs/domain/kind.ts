// defineKind(): the declaration of a stored record kind, from which routes, storage, links, uniqueness, permissions,
// labels, resolve, OpenAPI and search follow (docs/decisions/0003). One kind, one file in kinds/.
import type { JsonObject } from './json.ts';
import type { Properties, Rule, Schema } from './schema/property.ts';

/** The permission that an operation needs, or 'public' where the contract asks for no session. */
export type Permission = string;

/** The operations that the uniform routes offer, with the permission of each; an operation left out has no route. */
export type Permissions = {
  readonly read: Permission | 'public';
  readonly create?: Permission;
  readonly update?: Permission;
  readonly delete?: Permission;
  readonly publish?: Permission;
  readonly suppress?: Permission;
};

/** A uniqueness rule: `key` gives the text that may occur once within `within`, or null where the record has none. */
export type UniqueRule = {
  readonly name: string;
  /** 'repository', 'everywhere', or the property of a ref (such as 'resource') whose target is the scope. */
  readonly within: 'everywhere' | 'repository' | { readonly ref: string };
  readonly key: (body: JsonObject) => string | readonly string[] | null;
  /** The property and message of the 400 (contract: uniqueness). */
  readonly property: string;
  readonly says: string;
  /** Whether the 400 names the record that has the key, under `conflicting_record`. */
  readonly showsConflict?: true;
};

/** What happens to a record whose link target is deleted: the ref goes, the sub-record that holds it goes, or the delete is refused. */
export type WhenTargetGoes = 'drop_ref' | 'drop_part' | { readonly refuse: string };

/** Where links of a kind sit, by property path pattern without indexes ('instances.sub_container.top_container'). */
export type LinkRules = { readonly [path: string]: { readonly whenTargetGoes: WhenTargetGoes } };

/** A kind whose records are ordered under a root: names of the properties that hold the place, and the number of the kind in tree tables. */
export type TreeNode = { readonly root: string; readonly rootProperty: string; readonly parentProperty: 'parent'; readonly code: number };

/** What generating functions may use: values that the pure code cannot make itself. */
export type Making = {
  /** 32 lower-case hexadecimal characters, new at each call. */
  readonly newHexId: () => string;
  /** The `publish` default of the caller. */
  readonly publishDefault: boolean;
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
  readonly publishable?: boolean;
  /** Whether `publish` is always true (subjects, classifications). */
  readonly suppressible?: boolean;
  readonly may: Permissions;
  /** Kinds with routes of their own for create, update or delete (users, groups) switch the uniform ones off. */
  readonly uniform?: false;
  readonly unique?: readonly UniqueRule[];
  readonly links?: LinkRules;
  readonly tree?: TreeNode;
  /** Values generated from the body itself before it is stored (display strings, ids, sort names); runs after checking. `old` is the stored body on update. */
  readonly generate?: (body: JsonObject, making: Making, old: JsonObject | null) => JsonObject;
  /** The text that stands for the record in lists, trees and search. */
  readonly label: (body: JsonObject) => string;
  /** Wire property under which the label is shown (title, display_string), or null where the body holds it itself. */
  readonly labelProperty: 'title' | 'display_string' | null;
  /** Read-only properties that depend on other rows, by name of a file in libs/store/records/computed. */
  readonly computed?: readonly string[];
  /** Whether replies say `stale: true` (contract 1.2: kinds with generated values). */
  readonly stale: boolean;
  /** A minimal valid body; refs may be written as '@kind' and stand for a record made first. */
  readonly example: JsonObject;
};

/** A kind as the machinery sees it: the declaration with what follows from it. */
export type Kind = KindDeclaration & {
  readonly schema: Schema;
  /** 'repository' where the uri begins below a repository. */
  readonly scope: 'repository' | 'global';
  /** The plural of the uri: 'accessions', 'people'. */
  readonly plural: string;
};

/** Completes a declaration; throws at load time where it contradicts itself. */
export function defineKind(declaration: KindDeclaration): Kind {
  const segments = declaration.uri.split('/');
  const plural = segments.at(-2);
  if (segments.at(-1) !== ':id' || plural === undefined) throw new Error(`kind ${declaration.name}: the uri must end in /:id`);
  const scope = declaration.uri.startsWith('/repositories/:repo_id/') ? 'repository' : 'global';
  const schema: Schema = {
    name: declaration.name,
    properties: declaration.properties,
    audited: true,
    ...(declaration.rules === undefined ? {} : { rules: declaration.rules }),
    ...(declaration.publishable === undefined ? {} : { publishable: declaration.publishable }),
  };
  return { ...declaration, schema, scope, plural };
}

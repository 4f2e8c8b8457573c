// What preparing a body needs and gives: the caller's side of the engine in this folder.
import type { JsonObject } from '../json.ts';
import type { GeneratedValues } from '../kind.ts';
import type { RecordAddress } from '../uri.ts';

/** A controlled list. `has` knows suppressed values as well; `values` are those shown in messages, in list order. */
export type EnumerationList = {
  readonly editable: boolean;
  readonly values: readonly string[];
  has(value: string): boolean;
};

/** The controlled lists of the database, by name. */
export type Enumerations = { get(name: string): EnumerationList | undefined };

/**
 * How properties that no schema has are told: as errors, or as warnings of a success. What replies show beyond their schemas is known too, so
 * that a record can be sent back as it was read.
 */
export type UnknownProperties = {
  readonly refused: boolean;
  readonly isShown: (schema: string, property: string) => boolean;
};

/** What `prepare` may ask of the outside. */
export type PrepareContext = {
  readonly operation: 'create' | 'update';
  readonly enumerations: Enumerations;
  readonly generatedValues: GeneratedValues;
  readonly parseUri: (uri: string) => RecordAddress | null;
  /** Imports: uris that end in `/import_<hex and dashes>` stand for records of the same batch. */
  readonly acceptTemporary: boolean;
  /** Imports: unknown values of editable lists are accepted and reported in `newEnumerationValues`. */
  readonly createEnumerationValues: boolean;
  /** How unknown properties are told; absent: they are left out without a word. */
  readonly unknownProperties?: UnknownProperties;
};

/**
 * A reference found in a body. `property` is the path without indexes ('instances.sub_container.top_container'), `path`
 * the slash path of the ref object or uri ('instances/0/sub_container/top_container'), `role` its role, or its relator. `address` is what
 * the uri names, where the check of the ref has read it already.
 */
export type Link = {
  readonly property: string;
  readonly path: string;
  readonly uri: string;
  readonly role: string | null;
  readonly address?: RecordAddress | undefined;
};

/** A value that an import brings into an editable list. */
export type NewEnumerationValue = { readonly list: string; readonly value: string };

/** A body ready to be stored. `warnings` is what a success answers: empty where there are none. */
export type Prepared = {
  readonly body: JsonObject;
  readonly links: readonly Link[];
  readonly newEnumerationValues: readonly NewEnumerationValue[];
  readonly warnings: { readonly [path: string]: readonly string[] };
};

// What a property of a record may hold, as plain data. One description serves checking, cleaning, defaults,
// links, OpenAPI and forms; libs/domain/rules reads it. Vocabulary: contract schemas.json.
import type { Json, JsonObject } from '../json.ts';
import type { PartSearch } from '../search/declaration.ts';

/** What every property can say, whatever its type. */
type Common = {
  /** 'error': 400 when missing; 'warn': a warning. */
  readonly required?: 'error' | 'warn';
  /** Dropped silently from what clients send; filled in by the service. */
  readonly readonly?: true;
  /**
   * Where records that come as they are read (decision 0027) have it: 'body': nobody sends it, and it is part of the stored body all the same;
   * 'rows': it is sent, and stored beside the record.
   */
  readonly kept?: 'body' | 'rows';
  /** What a load of another service's records stores of a kept property that this service does not tell. */
  readonly whenUntold?: string;
  /** Taken when the property is absent, after checking. */
  readonly default?: Json;
  /** The release of the interface that alone has this property; both are accepted and both are stored. */
  readonly release?: 'R-A' | 'R-B';
  /** Whether replies in the other release leave it out; what R-B has besides is mostly shown in both. */
  readonly hiddenElsewhere?: true;
  /**
   * Of what holds refs: search documents show the records that these name (contract search_fields.json, `resolved_in_json`). 'named': to the
   * public by their names, where they are unpublished.
   */
  readonly resolvedInSearch?: true | 'named';
};

/** Text. `enumeration` names a controlled list of the database, `values` a fixed list. */
export type TextProperty = Common & {
  readonly type: 'string';
  readonly minLength?: number;
  readonly maxLength?: number;
  /** As the contract prints it in messages; checked with Ruby anchors (\A, \z) read as whole-text anchors. */
  readonly pattern?: string;
  readonly enumeration?: string;
  readonly values?: readonly string[];
  /** Made by the service where the body has none: 32 hexadecimal characters. */
  readonly generated?: 'hex';
};

/** Numbers, booleans, dates (normalised to YYYY-MM-DD), times, and objects that are stored as sent. */
export type PlainProperty = Common & {
  readonly type: 'integer' | 'number' | 'boolean' | 'date' | 'date-time' | 'object' | 'any';
  readonly minimum?: number;
  readonly maximum?: number;
};

/** `{ref: uri, …}`: a link to a record of one of the kinds in `to`, with properties of the link itself. */
export type RefProperty = Common & {
  readonly type: 'ref';
  readonly to: readonly string[];
  readonly properties?: Properties;
  /** False where the ref object may be absent of `ref` (shown lists). Default true. */
  readonly refRequired?: boolean;
};

/** A bare uri string of a record, or, for `uri_or_object`, the record itself (schema `of`) in its place. */
export type UriProperty = Common & {
  readonly type: 'uri' | 'uri_or_object';
  readonly to: readonly string[];
  readonly of?: () => Schema;
};

/** A sub-record of one schema, or of one of several told apart by `jsonmodel_type`. Given as functions: schemas may nest each other. */
export type ObjectProperty = Common & {
  readonly type: 'sub_record';
  readonly of: () => readonly Schema[];
  /** The sub-record must say its `jsonmodel_type` even where one schema is possible. */
  readonly saysType?: true;
};

/** An object with properties of its own and no `jsonmodel_type`; unlike 'object' it is checked and cleaned. */
type InlineProperty = Common & { readonly type: 'inline'; readonly properties: Properties };

/** An ordered list. Absent lists are stored as []. */
export type ListProperty = Common & {
  readonly type: 'list';
  readonly of: Property;
  readonly minItems?: number;
  /** Shown to some alone (contact details): to others it is empty, and stays as it is when they save the record. */
  readonly confidential?: true;
};

/** Any of the listed types (contract "one_of"), where they are not all sub-records. */
type EitherProperty = Common & { readonly type: 'either'; readonly of: readonly Property[] };

/** One property of a schema. */
export type Property =
  | TextProperty
  | PlainProperty
  | RefProperty
  | UriProperty
  | ObjectProperty
  | InlineProperty
  | ListProperty
  | EitherProperty;

/** The properties of a schema by wire name, in the contract's order. */
export type Properties = { readonly [name: string]: Property };

/** Takes a problem of an object: a path relative to it and a message. The path 'coded_errors' collects codes for the whole record. */
export type Report = (path: string, message: string) => void;

/**
 * A check beyond single properties: reports problems of one object that has its required properties. It sees the object
 * as sent (cleaned, without defaults); values may have the wrong type, which is reported elsewhere. `warn` takes what
 * does not refuse the record.
 */
export type Rule = (object: JsonObject, report: Report, warn: Report) => void;

/** Where a sub-record is: its record, its place there among all of its schema, from 0, and that of the sub-record around it (see `within`). */
type PartPlace = {
  readonly kind: string;
  readonly id: number;
  readonly repoId: number | null;
  readonly place: number;
  readonly around: number;
};

/** A uri or identifier that a sub-record shows, and that follows from where it is. */
export type PartName = {
  readonly property: 'uri' | 'identifier';
  /** Its text; null where the record's kind gives none, or the place is beyond those there are. */
  readonly of: (at: PartPlace) => string | null;
  /** The schema of the sub-records whose parts are counted apart (telephones: in each contact). */
  readonly within?: string;
  /** The release of the interface that alone shows it. */
  readonly release?: 'R-A';
  /**
   * A property whose value is a copy of an entry of a list, behind that list in the body: the copy is named as what it was made from. `next`
   * is what it alone shows, of the entry that follows.
   */
  readonly copied?: {
    readonly as: string;
    readonly from: string;
    readonly next?: { readonly property: string; readonly of: (entry: JsonObject) => string | undefined };
  };
};

/** A record or sub-record type of the interface, by its `jsonmodel_type`. */
export type Schema = {
  readonly name: string;
  readonly properties: Properties;
  readonly rules?: readonly Rule[];
  /** Rules that see the object with defaults filled in, and are reported where everything else passed (checks of the contract's storage). */
  readonly lateRules?: readonly Rule[];
  /** Whether replies show audit fields (created_by, times, lock_version) in it; notes and link objects do not have them. */
  readonly audited?: boolean;
  /** False where the audit fields come without `lock_version` (external_id, telephone). Default: with it. */
  readonly lockVersioned?: false;
  /** What replies show in it of its record, in the order of the wire: its repository, itself as `parent`, the name of the place in it. */
  readonly shows?: readonly ('repository' | 'parent' | PartName)[];
  /** Whether replies show the times of its record in it, in the form that links have (contract 1.2). */
  readonly linkTimes?: true;
  /** Flags that one entry of a list may have, in records of the kinds `in` (default: all) (contract 3.2). */
  readonly onlyOne?: { readonly flags: readonly string[]; readonly in?: readonly string[] };
  /** Whether it has a `publish` flag that takes the caller's default when absent. */
  readonly publishable?: boolean;
  /** What a sub-record gives the search documents of the records that have it. */
  readonly search?: PartSearch;
};

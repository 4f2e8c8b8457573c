// What a property of a record may hold, as plain data. One description serves checking, cleaning, defaults,
// links, OpenAPI and forms; libs/domain/rules reads it. Vocabulary: contract schemas.json.
import type { Json } from '../json.ts';

/** What every property can say, whatever its type. */
type Common = {
  /** 'error': 400 when missing; 'warn': a warning. */
  readonly required?: 'error' | 'warn';
  /** Dropped silently from what clients send; filled in by the service. */
  readonly readonly?: true;
  /** Taken when the property is absent, after checking. */
  readonly default?: Json;
  /** The release of the interface that alone has this property; both are accepted and both are stored. */
  readonly release?: 'R-A' | 'R-B';
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

/** A bare uri string of a record, or, for `uri_or_object`, the record itself in its place. */
export type UriProperty = Common & { readonly type: 'uri' | 'uri_or_object'; readonly to: readonly string[] };

/** A sub-record of one schema, or of one of several told apart by `jsonmodel_type`. Given as functions: schemas may nest each other. */
export type ObjectProperty = Common & { readonly type: 'sub_record'; readonly of: () => readonly Schema[] };

/** An ordered list. Absent lists are stored as []. */
export type ListProperty = Common & { readonly type: 'list'; readonly of: Property; readonly minItems?: number };

/** Any of the listed types (contract "one_of"), where they are not all sub-records. */
export type EitherProperty = Common & { readonly type: 'either'; readonly of: readonly Property[] };

/** One property of a schema. */
export type Property = TextProperty | PlainProperty | RefProperty | UriProperty | ObjectProperty | ListProperty | EitherProperty;

/** The properties of a schema by wire name, in the contract's order. */
export type Properties = { readonly [name: string]: Property };

/** A check beyond single properties: reports problems of one object that passed its plain checks. Paths are relative to the object. */
export type Rule = (object: import('../json.ts').JsonObject, report: (path: string, message: string) => void) => void;

/** A record or sub-record type of the interface, by its `jsonmodel_type`. */
export type Schema = {
  readonly name: string;
  readonly properties: Properties;
  readonly rules?: readonly Rule[];
  /** Whether replies show audit fields (created_by, times, lock_version) in it; notes and link objects do not have them. */
  readonly audited?: boolean;
  /** Whether it has a `publish` flag that takes the caller's default when absent. */
  readonly publishable?: boolean;
};

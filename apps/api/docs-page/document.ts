// What the page reads: its contents, and of the sections' OpenAPI documents the parts that it shows.

/** What /docs/contents.json holds: every operation by area, without its particulars. */
export type Contents = {
  readonly version: string;
  /** The name of the header that carries the session token. */
  readonly header: string;
  readonly areas: readonly Area[];
};

/** An area: its section is /openapi/<slug>.json. */
export type Area = {
  readonly name: string;
  readonly slug: string;
  readonly text: string;
  readonly operations: readonly Entry[];
};

/** An operation in the contents. */
export type Entry = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly deprecated: boolean;
};

/** A section: an OpenAPI document of one area with the components that it names. */
export type Section = {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
  readonly components: {
    readonly schemas: { readonly [name: string]: Schema };
    readonly responses: { readonly [name: string]: Response };
  };
};

/** An operation with its particulars. */
export type Operation = {
  readonly operationId: string;
  readonly description: string;
  readonly security: readonly object[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly description?: string;
    readonly required: boolean;
    readonly content: { readonly [mediaType: string]: Media };
  };
  readonly responses: { readonly [status: string]: Response | { readonly $ref: string } };
};

/** A parameter of the path, the query or the headers, or a field of a form. */
export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'form';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
};

/** A body of one media type. */
export type Media = { readonly schema: Schema; readonly example?: unknown };

/** A reply as it is described. */
export type Response = { readonly description: string; readonly content?: { readonly [mediaType: string]: Media } };

/** The keywords of JSON Schema that the page shows. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly contentMediaType?: string;
  readonly minimum?: number;
  readonly maximum?: number;
};

/** A request as it was filled in. `path` has its query. */
export type Request = {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly needsSession: boolean;
  readonly body?: Body;
};

/** Pairs of a form; `secret` values are not shown. */
export type FormField = { readonly name: string; readonly value: string; readonly secret: boolean };

/** What a request carries. */
export type Body =
  | { readonly kind: 'text'; readonly mediaType: string; readonly text: string }
  | { readonly kind: 'file'; readonly mediaType: string; readonly file: File }
  | { readonly kind: 'form'; readonly fields: readonly FormField[] }
  | {
      readonly kind: 'multipart';
      readonly fields: readonly FormField[];
      readonly files: readonly { readonly name: string; readonly file: File }[];
    };

// A collection of the stand-in: its schema checked field by field, documents checked against it as Typesense does, kept in order of entry.
import { Refusal } from './refusal.ts';

/** A stored document. */
export type StandInDocument = { readonly [field: string]: unknown };

type Field = {
  readonly name: string;
  readonly type: string;
  readonly facet: boolean;
  readonly optional: boolean;
  readonly index: boolean;
  readonly sort: boolean;
};

const types = new Set([
  'string',
  'string[]',
  'int32',
  'int32[]',
  'int64',
  'int64[]',
  'float',
  'float[]',
  'bool',
  'bool[]',
]);
const fieldParameters = new Set([
  'name',
  'type',
  'facet',
  'optional',
  'index',
  'store',
  'sort',
  'infix',
  'locale',
  'num_dim',
  'vec_dist',
  'reference',
  'range_index',
  'stem',
]);
const schemaParameters = new Set([
  'name',
  'fields',
  'token_separators',
  'symbols_to_index',
  'default_sorting_field',
  'enable_nested_fields',
  'metadata',
]);

/** The words of a text as Typesense takes it apart without separators or symbols of one's own: ASCII signs vanish, blanks part. */
export function tokensOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .replace(/[\u0000-\u001f!-/:-@[-`{-\u007f]/g, '')
    .split(/\s+/)
    .filter((token) => token !== '');
}

/** A collection. */
export class StandInCollection {
  readonly name: string;
  readonly #metadata: unknown;
  readonly #declared: readonly Field[];
  readonly #found = new Map<string, Field>();
  readonly #documents = new Map<string, StandInDocument>();
  #entries = 0;
  readonly #entry = new Map<string, number>();

  constructor(schema: unknown) {
    const given = asObject(schema, 'Bad JSON.');
    for (const key of Object.keys(given))
      if (!schemaParameters.has(key)) throw new Refusal(400, `stand-in: collections have no parameter \`${key}\``);
    const { name, fields } = given;
    if (typeof name !== 'string' || name === '') throw new Refusal(400, 'Parameter `name` is required.');
    if (!Array.isArray(fields) || fields.length === 0)
      throw new Refusal(
        400,
        'The `fields` value should be an array of objects containing `name`, `type`, `optional` and `facet` properties.',
      );
    this.name = name;
    this.#metadata = given['metadata'];
    this.#declared = fields.map(readField);
    const names = this.#declared.map((field) => field.name);
    if (new Set(names).size !== names.length) throw new Refusal(400, 'There are duplicate field names in the schema.');
    for (const field of this.#declared) if (!isPattern(field)) this.#found.set(field.name, field);
  }

  /** What GET says of it. Fields by pattern are listed as they are, and beside them the fields that documents brought. */
  describe(withFields: boolean): object {
    const fields = [...new Set([...this.#declared, ...this.#found.values()])];
    return {
      name: this.name,
      num_documents: this.#documents.size,
      ...(withFields ? { fields } : {}),
      default_sorting_field: '',
      ...(this.#metadata === undefined ? {} : { metadata: this.#metadata }),
    };
  }

  /** The type of an indexed field; undefined where there is none, or none yet. */
  typeOf(name: string): string | undefined {
    const field = this.#found.get(name);
    return field?.index === true ? field.type : undefined;
  }

  isFacet(name: string): boolean {
    return this.#found.get(name)?.facet === true;
  }

  isSortable(name: string): boolean {
    return this.#found.get(name)?.sort === true;
  }

  /** All documents in the order of entry. A replaced one keeps its place. */
  get documents(): readonly StandInDocument[] {
    return [...this.#documents.values()];
  }

  /** The place of a document in the order of entry. */
  entryOf(document: StandInDocument): number {
    return this.#entry.get(String(document['id'])) ?? 0;
  }

  /** Puts a document in, or in the place of the one with its id. Throws a Refusal with Typesense's text. */
  upsert(value: unknown): string {
    const document = asObject(value, 'Bad JSON.');
    const { id } = document;
    if (typeof id !== 'string' || id === '') throw new Refusal(400, "Document's `id` field should be a string.");
    const brought: Field[] = [];
    for (const [name, one] of Object.entries(document)) {
      if (name === 'id') continue;
      const field = this.#found.get(name) ?? this.#byPattern(name);
      if (field === undefined)
        throw new Refusal(
          400,
          `stand-in: \`${name}\` is no field of the collection, it would be stored and never found`,
        );
      checkValue(field, one);
      brought.push(field);
    }
    const missing = this.#declared.find(
      (field) => !field.optional && !isPattern(field) && document[field.name] === undefined,
    );
    if (missing !== undefined)
      throw new Refusal(
        400,
        `Field \`${missing.name}\` has been declared in the schema, but is not found in the document.`,
      );
    for (const field of brought) this.#found.set(field.name, field);
    if (!this.#entry.has(id)) this.#entry.set(id, (this.#entries += 1));
    this.#documents.set(id, document);
    return id;
  }

  /** Takes out the documents that match. Gives their number. */
  remove(matches: (document: StandInDocument) => boolean): number {
    const gone = this.documents.filter(matches);
    for (const { id } of gone) {
      this.#documents.delete(String(id));
      this.#entry.delete(String(id));
    }
    return gone.length;
  }

  #byPattern(name: string): Field | undefined {
    const field = this.#declared.find((one) => isPattern(one) && new RegExp(`^(?:${one.name})$`).test(name));
    return field === undefined ? undefined : { ...field, name };
  }
}

const isPattern = (field: Pick<Field, 'name'>): boolean => field.name.includes('.*');

function asObject(value: unknown, message: string): { readonly [name: string]: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Refusal(400, message);
  return Object.fromEntries(Object.entries(value));
}

function readField(value: unknown): Field {
  const given = asObject(value, 'The `fields` value should be an array of objects.');
  for (const key of Object.keys(given))
    if (!fieldParameters.has(key)) throw new Refusal(400, `stand-in: fields have no parameter \`${key}\``);
  const { name, type } = given;
  if (typeof name !== 'string' || name === '')
    throw new Refusal(
      400,
      'Wrong format for `fields`. It should be an array of objects containing `name`, `type`, `optional` and `facet` properties.',
    );
  if (name === 'id') throw new Refusal(400, 'stand-in: `id` is there by itself');
  if (typeof type !== 'string' || !types.has(type))
    throw new Refusal(400, `Field \`${name}\` has an invalid data type string, see docs for supported data types.`);
  const flag = (key: string, whenAbsent: boolean): boolean => {
    const flagged = given[key] ?? whenAbsent;
    if (typeof flagged !== 'boolean')
      throw new Refusal(400, `The \`${key}\` property of the field \`${name}\` should be a boolean.`);
    return flagged;
  };
  const field: Field = {
    name,
    type,
    facet: flag('facet', false),
    optional: flag('optional', false),
    index: flag('index', true),
    sort: flag('sort', /^(int|float|bool)/.test(type) && !type.endsWith('[]')),
  };
  if (!field.index && (field.facet || !field.optional))
    throw new Refusal(400, `Field \`${name}\` must be optional since it is marked as non-indexable.`);
  return field;
}

function checkValue(field: Field, value: unknown): void {
  const single = field.type.replace('[]', '');
  const fits = (one: unknown): boolean => {
    switch (single) {
      case 'string':
        return typeof one === 'string';
      case 'bool':
        return typeof one === 'boolean';
      case 'float':
        return typeof one === 'number';
      default:
        return (
          typeof one === 'number' && Number.isSafeInteger(one) && (single === 'int64' || Math.abs(one) <= 2_147_483_647)
        );
    }
  };
  if (field.type.endsWith('[]') ? !Array.isArray(value) || !value.every(fits) : !fits(value)) {
    throw new Refusal(400, `Field \`${field.name}\` must be ${/^[aeiou]/.test(single) ? 'an' : 'a'} ${field.type}.`);
  }
}

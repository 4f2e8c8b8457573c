// The replies of an OpenAPI document with compiled validators of their JSON. Compiling them takes seconds, as records name each other: what was
// compiled is kept under the digest of the document, and whoever tests the same document next reads it in milliseconds.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import addFormats from 'ajv-formats';
import standalone from 'ajv/dist/standalone/index.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject, objectOf } from '#domain/json.ts';

/** An operation: the pattern of its paths, and by status and media type the name of the validator; null for what is no JSON. */
export type DescribedOperation = {
  readonly method: string;
  readonly pattern: string;
  readonly replies: { readonly [status: string]: { readonly [mediaType: string]: string | null } };
};

type Validate = { (value: unknown): boolean; readonly errors?: readonly ErrorObject[] | null };

/** The operations of a document, and the validators of replies by name. */
export type DescribedReplies = {
  readonly operations: readonly DescribedOperation[];
  readonly validators: { readonly [name: string]: Validate };
};

// Beside the packages, which the compiled code requires.
const folder = new URL('../../node_modules/.cache/muniment/', import.meta.url);
// Changes when this file compiles otherwise.
const edition = 1;

/** The replies of a document, given as its text. */
export function describedReplies(document: string): DescribedReplies {
  const digest = createHash('sha256').update(`${edition} ${document}`).digest('hex').slice(0, 32);
  const [table, code] = [new URL(`${digest}.json`, folder), new URL(`${digest}.cjs`, folder)];
  if (!existsSync(code) || !existsSync(table)) {
    const made = compile(JSON.parse(document));
    mkdirSync(folder, { recursive: true });
    keep(table, JSON.stringify(made.operations));
    keep(code, made.code);
  }
  // Both files are as compile() makes them.
  return {
    operations: JSON.parse(readFileSync(table, 'utf8')) as DescribedOperation[],
    validators: createRequire(code)(code.pathname) as DescribedReplies['validators'],
  };
}

/** Writes a file that others may read at the same moment: they see all of it, or none. */
function keep(file: URL, text: string): void {
  const own = new URL(`${file.href}.${process.pid}`);
  writeFileSync(own, text);
  renameSync(own, file);
}

function compile(document: JsonObject): { readonly operations: readonly DescribedOperation[]; readonly code: string } {
  const ajv = addFormats.default(new Ajv2020({ strict: false, code: { source: true } }));
  ajv.addSchema(closed(document), 'document');
  const names = new Map<string, string>();
  const validatorOf = (schema: JsonObject): string => {
    const closedSchema = JSON.stringify(closed(schema)).replaceAll('"#/', '"document#/');
    const name = names.get(closedSchema) ?? `reply${names.size}`;
    if (!names.has(closedSchema)) ajv.addSchema(JSON.parse(closedSchema), name);
    names.set(closedSchema, name);
    return name;
  };
  const operations = Object.entries(objectOf(document, 'paths') ?? {}).flatMap(([template, item]) =>
    Object.entries(isObject(item) ? item : {}).map(([method, operation]) => ({
      method: method.toUpperCase(),
      pattern: patternOf(template),
      rank: template.replace(/[^/]*\{\w+\}[^/]*/g, '\u{ffff}'),
      replies: repliesOf(document, isObject(operation) ? operation : {}, validatorOf),
    })),
  );
  const byRank = operations
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ rank: _, ...operation }) => operation);
  const exported = Object.fromEntries([...names.values()].map((name) => [name, name]));
  return { operations: byRank, code: standalone.default(ajv, exported) };
}

const patternOf = (template: string): string => {
  const parts = template.split(/(\{\w+\})/).map((part) => {
    if (part === '{rest}') return '.*';
    return part.startsWith('{') ? '[^/]+?' : part.replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
  });
  return `^${parts.join('')}/?$`;
};

function repliesOf(
  document: JsonObject,
  operation: JsonObject,
  validatorOf: (schema: JsonObject) => string,
): DescribedOperation['replies'] {
  const shared = objectOf(objectOf(document, 'components'), 'responses');
  return Object.fromEntries(
    Object.entries(objectOf(operation, 'responses') ?? {}).map(([status, given]) => {
      const reply = isObject(given) ? given : {};
      const name = String(reply['$ref'] ?? '').replace('#/components/responses/', '');
      const content = objectOf(name === '' ? reply : objectOf(shared, name), 'content') ?? {};
      return [
        status,
        Object.fromEntries(
          Object.entries(content).map(([type, media]) => {
            const schema = isObject(media) ? objectOf(media, 'schema') : undefined;
            return [type, schema === undefined || !/(?:^|[/+])json$/.test(type) ? null : validatorOf(schema)];
          }),
        ),
      ];
    }),
  );
}

/** The schemas with every object closed: a property that is not described is a fault. */
function closed(value: JsonObject): JsonObject {
  const made: JsonObject = Object.fromEntries(
    Object.entries(value).map(([name, each]): readonly [string, Json] => [name, closedValue(each ?? null)]),
  );
  return isObject(made['properties']) && made['type'] === 'object' && made['additionalProperties'] === undefined
    ? { ...made, additionalProperties: false }
    : made;
}

function closedValue(value: Json): Json {
  if (Array.isArray(value)) return value.map(closedValue);
  return isObject(value) ? closed(value) : value;
}

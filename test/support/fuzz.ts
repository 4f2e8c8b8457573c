// Requests that follow from the service's own OpenAPI document, and are mostly wrong: types, sizes, encodings, nesting, parameters that are
// unknown or come twice, headers, media types, and files and queries of every language that the service reads. The same for the same seed.
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject, objectsOf } from '#domain/json.ts';
import { hostileCsv, hostileWorkbooks, hostileXml, xmlForms } from './make/hostile-imports.ts';
import { hostileBytes, hostileText, hostileValues, mutated } from './make/hostile.ts';

/** One request. `body` is sent as it is; `what` says in a line how it was made. */
export type FuzzRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string | Uint8Array<ArrayBuffer> | FormData | undefined;
  readonly what: string;
};

/** Ids and uris that exist, for requests that get past the first checks. */
export type Known = {
  readonly ids: readonly number[];
  readonly repoIds: readonly number[];
  readonly uris: readonly string[];
};

type Operation = {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly JsonObject[];
  readonly content: JsonObject | null;
};

const oneOf = <T>(random: () => number, items: readonly [T, ...T[]] | readonly T[]): T => {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
};

const numbers = [
  '0',
  '-1',
  '2147483647',
  '2147483648',
  '9007199254740993',
  '1e308',
  '10000000000000000000',
  '0x10',
  '1_0',
  '0.5',
  'x',
  '',
  'NaN',
  '１',
];
const texts = [
  '',
  ' ',
  'a',
  '\u0000',
  '\ud800',
  '😀',
  "'",
  '"',
  '\\',
  '%',
  '_',
  '<b>',
  '{{',
  '../..',
  'null',
  'x'.repeat(5000),
  'é\u0301',
  '\u202e',
  '\r\nX-Injected: 1',
];
const dates = [
  '2020-02-30',
  '0000-00-00',
  '-4713-01-01',
  '999999-01-01',
  '2020',
  '2020-01-01T25:00:00Z',
  '294277-01-01',
  '1e9',
  'infinity',
  'now',
];
const lucene = [
  '*',
  '*:*',
  'a AND',
  '(((',
  ')))',
  '"a',
  'a~99',
  '"a b"~999999999999',
  'title:[* TO *]',
  'title:{1 TO',
  'a^1e309',
  '\\',
  '-',
  '+-!',
  'NOT NOT a',
  '/a/',
  'a?*',
  'uri:"\u0000"',
  '('.repeat(300),
  'a OR '.repeat(400),
  '_val_:"x"',
  'create_time:[NOW-1DAY TO *]',
  'create_time:[2020-13-45T00:00:00Z TO *]',
];
const tokens = [
  '',
  'x',
  'oai_dc',
  '0',
  '!!!!',
  'AAAA'.repeat(200),
  'eyJhIjoxfQ==',
  'oai_dc:0:0:0',
  '%00',
  '9'.repeat(300),
  '\u0000',
];
const types = [
  'application/json',
  'text/json; charset=utf-16',
  'application/json; charset=nonsense',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'text/xml',
  '',
  'a',
  'application/merge-patch+json',
];
const headers: readonly (readonly [string, string])[] = [
  ['if-match', '"1-x"'],
  ['if-match', '*'],
  ['if-match', 'W/"99999999999999999999-a", x'],
  ['if-none-match', '"'],
  ['prefer', 'respond-async, wait=-1'],
  ['idempotency-key', 'k'],
  ['idempotency-key', 'x'.repeat(201)],
  ['idempotency-key', '\u00ff'],
  ['accept', 'application/problem+json'],
  ['accept', '*/*;q=9'],
  ['x-service-priority', 'high'],
  ['x-request-id', '../..'],
  ['x-forwarded-for', '::1, x'],
  ['accept-language', 'x'.repeat(3000)],
  ['range', 'bytes=9-1'],
  ['x-service-session', 'x'],
];

/** The requests of a document, without end. `excluded` names operations that are left out, as 'POST /path'. */
export class Fuzz {
  readonly #operations: readonly Operation[];
  readonly #schemas: JsonObject;
  readonly #random: () => number;
  readonly #known: Known;
  readonly #files: readonly { readonly what: string; readonly bytes: string | Uint8Array }[];

  constructor(document: JsonObject, known: Known, random: () => number, excluded: readonly string[]) {
    this.#random = random;
    this.#known = known;
    const paths = objectIn(document, 'paths');
    this.#schemas = objectIn(objectIn(document, 'components'), 'schemas');
    this.#operations = Object.entries(paths).flatMap(([path, item]) =>
      isObject(item)
        ? Object.entries(item).flatMap(([method, operation]) =>
            isObject(operation) && !excluded.includes(`${method.toUpperCase()} ${path}`)
              ? [toOperation(method.toUpperCase(), path, operation)]
              : [],
          )
        : [],
    );
    this.#files = [
      ...xmlForms.flatMap((form) => hostileXml(form, 'http://127.0.0.1:9/')),
      ...hostileCsv('title,identifier', 'a,b'),
      ...hostileWorkbooks('sheet.xlsx', 'http://127.0.0.1:9/'),
    ];
  }

  /** How many operations there are. */
  get size(): number {
    return this.#operations.length;
  }

  /** Another request. */
  next(): FuzzRequest {
    const random = this.#random;
    const { method, path, parameters, content } = oneOf(random, this.#operations);
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => this.#inPath(name));
    const query = this.#query(parameters);
    const sent = Object.fromEntries(Array.from({ length: Math.floor(random() * 3) }, () => oneOf(random, headers)));
    const body = method === 'GET' || method === 'DELETE' ? undefined : this.#body(content);
    const type = typeof body === 'string' && random() < 0.8 ? 'application/json' : oneOf(random, types);
    return {
      method,
      path: `${filled}${query === '' ? '' : `?${query}`}`,
      headers: body === undefined || body instanceof FormData ? sent : { ...sent, 'content-type': type },
      body,
      what: `${method} ${path}`,
    };
  }

  #inPath(name: string): string {
    const random = this.#random;
    if (random() < 0.85) {
      if (name === 'repo_id') return String(oneOf(random, this.#known.repoIds));
      if (/(^|_)id$|version|number/.test(name)) return String(oneOf(random, this.#known.ids));
    }
    return encodeURIComponent(oneOf(random, random() < 0.5 ? numbers : texts).toWellFormed()) || '0';
  }

  #query(parameters: readonly JsonObject[]): string {
    const random = this.#random;
    const pairs: string[] = [];
    for (const parameter of parameters) {
      if (parameter['in'] !== 'query' || random() < (parameter['required'] === true ? 0.1 : 0.6)) continue;
      const name = String(parameter['name']);
      for (let times = random() < 0.1 ? 2 : 1; times > 0; times -= 1)
        pairs.push(
          `${random() < 0.1 ? `${name.replace('[]', '')}[${oneOf(random, ['', '0', 'x', '9'.repeat(20)])}]` : name}=${encoded(this.#value(name, parameter), random)}`,
        );
    }
    if (random() < 0.2)
      pairs.push(
        `${oneOf(random, ['unknown', '__proto__', 'a[b][c]', '%', '%ff', '[]', ''])}=${encoded(oneOf(random, texts), random)}`,
      );
    return pairs.join('&');
  }

  #value(name: string, parameter: JsonObject): string {
    const random = this.#random;
    if (random() < 0.4 && parameter['example'] !== undefined) return String(parameter['example']);
    if (/^(q|aq|filter|facet|sort|fields)/.test(name) && random() < 0.7) return oneOf(random, lucene);
    if (/token|cursor|metadataPrefix|set|identifier|from|until|verb/i.test(name) && random() < 0.7)
      return oneOf(random, random() < 0.5 ? [...tokens, 'ListRecords', 'GetRecord', 'oai_ead'] : dates);
    const schema = JSON.stringify(parameter['schema'] ?? '');
    if (schema.includes('integer') && random() < 0.7)
      return random() < 0.5 ? String(oneOf(random, this.#known.ids)) : oneOf(random, numbers);
    if (schema.includes('boolean') && random() < 0.7) return oneOf(random, ['true', 'false', 'TRUE', '1', '']);
    if (random() < 0.2) return oneOf(random, this.#known.uris);
    return oneOf(random, [...numbers, ...texts, ...dates]);
  }

  #body(content: JsonObject | null): FuzzRequest['body'] {
    const random = this.#random;
    const roll = random();
    if (content === null)
      return roll < 0.5 ? undefined : roll < 0.8 ? `a=1&b[]=${encoded(oneOf(random, texts), random)}` : '{}';
    if ('multipart/form-data' in content) return this.#form();
    if (roll < 0.1) return Uint8Array.from(hostileBytes(random));
    if (roll < 0.15) return hostileText(oneOf(random, Object.values(hostileValues))());
    const described = Object.values(content)[0];
    const schema = isObject(described) ? described['schema'] : undefined;
    const example = isObject(described) ? described['example'] : undefined;
    const made = isObject(example) && random() < 0.5 ? example : this.#fromSchema(schema, 0);
    const { body } = random() < 0.7 && isObject(made) ? mutated(made, random) : { body: made };
    const text = hostileText(body);
    return random() < 0.1 && text.length > 2
      ? text.replace(
          '{',
          `{"title":1,"lock_version":${oneOf(random, ['"x"', '1e308', '10000000000000000000', '-1', 'null', '{}'])},`,
        )
      : text;
  }

  #form(): FormData {
    const random = this.#random;
    const form = new FormData();
    const job = {
      jsonmodel_type: 'import_job',
      import_type: oneOf(random, ['ead_xml', 'marcxml', 'eac_xml', 'accession_csv', 'x']),
      jsonmodel: 'x',
    };
    form.append('job', hostileText(random() < 0.6 ? { job_type: 'import_job', job } : mutated({ job }, random).body));
    for (let files = Math.floor(random() * 3); files > 0; files -= 1) {
      const { what, bytes } = oneOf(random, this.#files);
      form.append(
        oneOf(random, ['files[]', 'files[0]', 'files', 'x[y]', 'file']),
        new Blob([typeof bytes === 'string' ? bytes : Uint8Array.from(bytes)]),
        oneOf(random, ['a.xml', '../../a', '\u0000', what.slice(0, 50)]),
      );
    }
    if (random() < 0.3) form.append(oneOf(random, ['job', '__proto__', 'a[b]', 'repo_id']), oneOf(random, texts));
    return form;
  }

  /** A value of a schema of the document: what is required, and of the rest a third. */
  #fromSchema(schema: Json | undefined, depth: number): Json {
    const random = this.#random;
    if (!isObject(schema) || depth > 6) return oneOf<Json>(random, ['x', 1, null, true, {}, []]);
    const ref = schema['$ref'];
    if (typeof ref === 'string') return this.#fromSchema(this.#schemas[ref.split('/').at(-1) ?? ''], depth + 1);
    if (Array.isArray(schema['enum'])) return oneOf<Json>(random, schema['enum']);
    const choices = schema['oneOf'] ?? schema['anyOf'];
    if (Array.isArray(choices)) return this.#fromSchema(oneOf<Json>(random, choices), depth + 1);
    switch (Array.isArray(schema['type']) ? schema['type'][0] : schema['type']) {
      case 'object': {
        const properties = objectIn(schema, 'properties');
        const required = Array.isArray(schema['required']) ? schema['required'] : [];
        return Object.fromEntries(
          Object.entries(properties)
            .filter(([name]) => required.includes(name) || random() < 0.33)
            .map(([name, each]) => [
              name,
              name === 'ref' ? oneOf(random, this.#known.uris) : this.#fromSchema(each, depth + 1),
            ]),
        );
      }
      case 'array':
        return Array.from({ length: Math.floor(random() * 3) }, () => this.#fromSchema(schema['items'], depth + 1));
      case 'integer':
      case 'number':
        return oneOf<Json>(random, [0, 1, -1, 2147483648, 1e20, 0.5, 1e308]);
      case 'boolean':
        return random() < 0.5;
      case 'string':
        return oneOf(random, ['a', 'b', '2020-01-01', ...this.#known.uris, ...texts, ...dates]);
      default:
        return oneOf<Json>(random, ['x', 1, null, {}]);
    }
  }
}

const objectIn = (object: JsonObject, name: string): JsonObject => {
  const value = object[name];
  return isObject(value) ? value : {};
};

function toOperation(method: string, path: string, operation: JsonObject): Operation {
  const parameters = objectsOf(operation, 'parameters');
  const body = operation['requestBody'];
  return { method, path, parameters, content: isObject(body) ? objectIn(body, 'content') : null };
}

/** A text for a query: percent-encoded, now and then in a way of its own. */
function encoded(text: string, random: () => number): string {
  const whole = encodeURIComponent(text.toWellFormed());
  return random() < 0.05 ? `${whole}%` : random() < 0.05 ? `${whole}%ff%fe` : whole;
}

// Replays recorded exchanges of the contract against a running service: its own ids for the recorded ones, and a comparison of
// replies that looks at keys, types and values, but not at what no two runs share (times, random ids, versions).
import type { Ask, Reply, TestApi } from './api.ts';
import { xmlValue } from './xml-value.ts';

/** A recorded exchange, as test/contract/data/examples.json has it. */
export type Exchange = {
  readonly release: 'R-A' | 'R-B';
  readonly n: number;
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly session: 'admin' | 'none' | 'other';
    readonly json?: unknown;
    readonly raw?: string;
    readonly form?: readonly (readonly [string, string])[];
  };
  readonly status: number;
  readonly content_type: string;
  readonly body: unknown;
};

/** A difference: where (`status`, `content_type`, `order`, `body/names/…` with an asterisk for an index), what was recorded, what came. */
export type Difference = {
  readonly exchange: string;
  readonly at: string;
  readonly recorded: unknown;
  readonly got: unknown;
};

const hex = /^[0-9a-f]{32}$|^[0-9a-f]{64}$/;
const time = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:Z| UTC)$/;

/** The uris of this run for the recorded ones. Texts that are or begin with a recorded uri are rewritten. */
export class Names {
  readonly #uris = new Map<string, string>();
  readonly #words = new Map<string, string>();

  constructor(run: string) {
    this.learnWord('@RUN@', run);
    this.learnWord('@HEX@', '0123456789abcdef');
  }

  /** Learns what a recorded uri is called here. */
  learn(recorded: string, own: string): void {
    this.#uris.set(recorded, own);
  }

  /** Learns a word that may stand anywhere in a text, such as a session token. */
  learnWord(recorded: string, own: string): void {
    this.#words.set(recorded, own);
  }

  /** The uri of this run, or undefined where it was never learned. */
  of(recorded: string): string | undefined {
    return this.#uris.get(recorded);
  }

  /** A text of the recording as this run has it. */
  text(text: string): string {
    let filled = text;
    for (const [recorded, own] of this.#words) filled = filled.replaceAll(recorded, own);
    if (!filled.startsWith('/')) return filled.replace(/'(\/[^']+)'$/, (_, uri: string) => `'${this.text(uri)}'`);
    const exact = this.#uris.get(filled);
    if (exact !== undefined) return exact;
    for (let end = filled.lastIndexOf('/'); end > 0; end = filled.lastIndexOf('/', end - 1)) {
      const own = this.#uris.get(filled.slice(0, end));
      if (own !== undefined) return own + filled.slice(end);
    }
    return filled;
  }

  /** A recorded value with all its texts, keys too, as this run has them. */
  value(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.text(key), this.value(item)]));
    return value;
  }

  /** A recorded path with query. Bare ids in it (id_set, parent, node_ids) are of the kind that the path or the tree says. */
  path(path: string): string {
    const [address = '', query] = path.split('?');
    const plain = this.#exportPath(decodeURIComponent(address)) ?? this.text(decodeURIComponent(address));
    if (query === undefined) return plain;
    const kindPath = address.replace(/(\/\d+)?(\/parent)?$/, '');
    const treePath = address
      .replace(/\/resources\/.*$/, '/archival_objects')
      .replace(/\/digital_objects\/.*$/, '/digital_object_components');
    const mapped = new URLSearchParams(
      [...new URLSearchParams(query)].map(([name, value]): [string, string] => {
        if (name === 'id_set')
          return [
            name,
            value
              .split(',')
              .map((id) => this.#id(kindPath, id))
              .join(','),
          ];
        if (name === 'parent') return [name, this.#id(kindPath, value)];
        if (name === 'repo_id') return [name, this.#id('/repositories', value)];
        if (name === 'node_ids[]') return [name, this.#id(treePath, value)];
        return [name, this.text(value)];
      }),
    );
    return `${plain}?${mapped.toString()}`;
  }

  /** The path of an export, which names a format where the uri of its record has none. */
  #exportPath(address: string): string | null {
    const found =
      /^(\/repositories\/\d+)\/(?:(archival_contexts|agents)\/(people|families|corporate_entities)|(resources|digital_objects))(\/[a-z][a-z0-9_]*)?\/(\d+)(\..*)$/.exec(
        address,
      );
    if (found === null) return null;
    const [, repository = '', agents, kind, described, format = '', id = '', rest = ''] = found;
    const own = agents === undefined ? this.#id(`${repository}/${described}`, id) : this.#id(`/agents/${kind}`, id);
    return `${this.text(repository)}/${agents === undefined ? described : `${agents}/${kind}`}${format}/${own}${rest}`;
  }

  #id(collection: string, id: string): string {
    return this.#uris.get(`${collection}/${id}`)?.split('/').at(-1) ?? id;
  }
}

/** Sends the request of an exchange. `sessions` says what the recorded session is here; null sends none. */
export async function send(api: TestApi, exchange: Exchange, names: Names, session: string | null): Promise<Reply> {
  const { request } = exchange;
  const ask: Ask = {
    method: request.method,
    session,
    ...(request.json === undefined ? {} : { json: names.value(request.json) }),
    ...(request.raw === undefined
      ? {}
      : {
          body: names.text(request.raw),
          headers: { 'content-type': exchange.name.includes('text/json') ? 'text/json' : 'application/json' },
        }),
    ...(request.form === undefined
      ? {}
      : {
          form: new URLSearchParams(request.form.map(([name, value]): [string, string] => [name, names.text(value)])),
        }),
  };
  return api.ask(names.path(request.path), ask);
}

/** All differences between a recorded answer and a reply of this run. Learns the uris of records that the recording shows but does not create. */
export function differences(exchange: Exchange, reply: Reply, names: Names): readonly Difference[] {
  const found: Difference[] = [];
  const report = (at: string, recorded: unknown, got: unknown): void =>
    void found.push({ exchange: exchange.name, at, recorded, got });
  if (reply.status !== exchange.status) report('status', exchange.status, reply.status);
  const type = reply.headers.get('content-type') ?? '';
  if (type !== exchange.content_type) report('content_type', exchange.content_type, type);
  if (
    typeof exchange.body === 'string' &&
    exchange.content_type === 'application/xml' &&
    type === exchange.content_type
  ) {
    compare(xmlValue(exchange.body), xmlValue(reply.text), 'body', { names, report });
    return found;
  }
  if (typeof exchange.body === 'string') {
    if (reply.text !== exchange.body) report('body', exchange.body, reply.text);
    return found;
  }
  const isImport = exchange.request.path.includes('/batch_imports');
  compare(
    isImport ? asOneReport(exchange.body) : exchange.body,
    isImport ? asOneReport(reply.json) : reply.json,
    'body',
    { names, report },
  );
  if (isEnvelope(exchange.body) && isEnvelope(reply.json) && keysOf(exchange.body) !== keysOf(reply.json))
    report('order', keysOf(exchange.body), keysOf(reply.json));
  return found;
}

/** The messages of an import, which come in chunks of any size, put together: all statuses in order, and the last message. Ticks are left out. */
function asOneReport(body: unknown): unknown {
  if (!Array.isArray(body)) return body;
  const messages = body.filter(isPlain);
  return {
    status: messages.flatMap((message) => message['status'] ?? []),
    ...Object.fromEntries(messages.filter((message) => 'saved' in message).flatMap(Object.entries)),
  };
}

const keysOf = (value: object): string => Object.keys(value).join(' ');
const isEnvelope = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && ('status' in value || 'this_page' in value || 'code' in value);

/** Values of these keys differ between any two runs: only their types are compared. */
const volatile = new Set(['lock_version', 'id', 'session', 'parent_id', 'invalid_object']);

type Comparison = { readonly names: Names; readonly report: (at: string, recorded: unknown, got: unknown) => void };

function compare(recorded: unknown, got: unknown, at: string, by: Comparison): void {
  if (Array.isArray(recorded) && Array.isArray(got)) {
    // Codes of permissions are a set (contract 2.4).
    if (at.includes('/permissions/')) {
      const wanted = [...new Set(recorded)].sort().join(' ');
      const has = [...new Set(got)].sort().join(' ');
      if (wanted !== has) by.report(at, wanted, has);
      return;
    }
    if (recorded.length !== got.length) by.report(`${at}/length`, recorded, got);
    for (let index = 0; index < Math.min(recorded.length, got.length); index += 1)
      compare(recorded[index], got[index], `${at}/*`, by);
    return;
  }
  if (isPlain(recorded) && isPlain(got)) {
    const wanted = new Map(Object.entries(recorded).map(([key, value]) => [by.names.text(key), value]));
    for (const [name, value] of wanted) {
      if (name in got) compare(value, got[name], `${at}/${name}`, by);
      else by.report(`${at}/${name}`, value, undefined);
    }
    for (const name of Object.keys(got)) if (!wanted.has(name)) by.report(`${at}/${name}`, undefined, got[name]);
    return;
  }
  if (shapeOf(recorded) !== shapeOf(got)) by.report(at, recorded, got);
  else if (recorded !== got && !isVolatile(at, recorded) && !sameText(recorded, got, by.names))
    by.report(at, recorded, got);
}

// Bare numbers in lists are ids.
const isVolatile = (at: string, recorded: unknown): boolean =>
  volatile.has(at.split('/').at(-1) ?? '') || (typeof recorded === 'number' && at.endsWith('/*'));

const uriForm = /^(?:\/[a-z_]+(?:\/\d+)?)+\/\d+$/;
const templateOf = (uri: string): string => uri.replace(/\d+/g, '0');

function sameText(recorded: unknown, got: unknown, names: Names): boolean {
  if (typeof recorded !== 'string' || typeof got !== 'string') return false;
  if (recorded === '(text)' || names.text(recorded) === got) return true;
  if (withoutFileTime(names.text(recorded)) === withoutFileTime(got)) return true;
  if (
    (time.test(recorded) && time.test(got)) ||
    (hex.test(recorded) && hex.test(got) && recorded.length === got.length)
  )
    return true;
  if (!uriForm.test(recorded) || names.of(recorded) !== undefined || templateOf(recorded) !== templateOf(got))
    return false;
  names.learn(recorded, got);
  return true;
}

// Names of exported files hold the time of the export.
const withoutFileTime = (text: string): string => text.replace(/_\d{8}_\d{6}_UTC_/, '_UTC_');

const isPlain = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const shapeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
/** A difference as a line of a failing test. */
export const line = (difference: Difference): string =>
  `${difference.at}: recorded ${shown(difference.recorded)}, got ${shown(difference.got)}`;

const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 300));

/** The first record that the recording shows at a uri: in a reply of its own, of a list, or resolved inside another. */
export function firstRecordAt(
  exchanges: readonly Exchange[],
  uri: string,
): { readonly [property: string]: unknown } | undefined {
  for (const exchange of exchanges) {
    const found = searched(exchange.body, uri);
    if (found !== undefined) return found;
  }
  return undefined;
}

function searched(value: unknown, uri: string): { readonly [property: string]: unknown } | undefined {
  if (Array.isArray(value)) {
    for (const item of value) {
      const found = searched(item, uri);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isPlain(value)) return undefined;
  if (value['uri'] === uri && value['jsonmodel_type'] !== undefined && value['create_time'] !== undefined) return value;
  for (const item of Object.values(value)) {
    const found = searched(item, uri);
    if (found !== undefined) return found;
  }
  return undefined;
}

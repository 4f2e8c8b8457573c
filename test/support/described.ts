// Every reply of every test over HTTP is one that the OpenAPI document describes: its status, its media type with the charset of text, its JSON with no property too many.
import { describedReplies } from './described-replies.ts';
import type { DescribedOperation } from './described-replies.ts';

/** A reply as it came; `json` is its text as JSON, undefined where it is none. */
type CameBack = {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
  readonly json: unknown;
};

/** Says what of a reply is not described, or null. Paths that no operation has are none of the document's. */
export type Description = (reply: CameBack) => string | null;

/** Reads a document, given as its text. */
export function readDescription(document: string): Description {
  const { operations, validators } = describedReplies(document);
  const find = router(operations);
  return ({ method, path, status, contentType, text, json }) => {
    const replies = find(method === 'HEAD' ? 'GET' : method, path);
    if (replies === null) return null;
    const name = `${method} ${path} ${status}`;
    const content = replies[status] ?? (isAnybodys(status) ? replies['default'] : undefined);
    if (content === undefined) return `${name}: this status is not described`;
    if (method === 'HEAD' || contentType === null) return null;
    const type = contentType.split(';', 1)[0]?.trim() ?? '';
    if (lacksCharset(path, contentType)) return `${name}: ${contentType} has no charset`;
    const validator = content[type];
    if (validator === undefined) return text === '' ? null : `${name}: ${type} is not described`;
    const validate = validator === null ? undefined : validators[validator];
    if (validate === undefined || validate(json)) return null;
    const faults = (validate.errors ?? [])
      .slice(0, 5)
      .map(({ instancePath, message, params }) => `${instancePath} ${message ?? ''} ${JSON.stringify(params)}`);
    return `${name}: ${faults.join('; ')}`;
  };
}

/** Text says its charset: but XML says it itself, and batch imports reply as recorded. */
const lacksCharset = (path: string, contentType: string): boolean =>
  contentType.startsWith('text/') &&
  !/;\s*charset=/i.test(contentType) &&
  !contentType.startsWith('text/xml') &&
  !/\/batch_imports(\?|$)/.test(path);

/** What any request may meet, whatever it asks for. */
const isAnybodys = (status: number): boolean => status === 429 || status >= 500;

/** Finds the replies of the operation that a path has: words before parameters. */
function router(
  operations: readonly DescribedOperation[],
): (method: string, path: string) => DescribedOperation['replies'] | null {
  const byMethod = Map.groupBy(
    operations.map((operation) => ({ ...operation, pattern: new RegExp(operation.pattern) })),
    ({ method }) => method,
  );
  return (method, path) => {
    const sent = path.split('?', 1)[0] ?? '';
    // A path that was sent as one encoded segment is that path decoded, where there is such an operation.
    for (const meant of new Set([sent.replace(/%2f/gi, '/'), sent])) {
      const plain = meant.replace(/\/{2,}/g, '/');
      const found = byMethod.get(method)?.find(({ pattern }) => pattern.test(plain));
      if (found !== undefined) return found.replies;
    }
    return null;
  };
}

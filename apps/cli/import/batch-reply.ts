// The reply of a batch import while it streams: progress line by line, then what was saved or why nothing was (contract trees-and-jobs 2.4).
// The list of saved records may be as large as the import; it is never held.
import type { JsonObject } from '#domain/json.ts';
import { isObject, objectOf, objectsOf, textOf, textsOf } from '#domain/json.ts';

/** What is heard of the reply while it comes. */
export type BatchListener = {
  onPhase(label: string): void;
  onTicks(done: number, total: number | null): void;
  /** The real uri of a record, in the order of the reply. */
  onSaved(uri: string): void;
};

/** The outcome: null where the reply broke off before it told one. */
export type BatchOutcome = { readonly errors: readonly string[] } | null;

const savedStart = '{"saved":{';
const savedEntry = /"(?:[^"\\]|\\.)*":\["((?:[^"\\]|\\.)*)",\d+\]/g;

/** Reads the reply to its end. */
export async function readBatchReply(
  pieces: AsyncIterable<Uint8Array>,
  listener: BatchListener,
): Promise<BatchOutcome> {
  const decoder = new TextDecoder();
  let rest = '';
  let inSaved = false;
  let outcome: BatchOutcome = null;
  for await (const piece of pieces) {
    rest += decoder.decode(piece, { stream: true });
    if (!inSaved) {
      for (let end = rest.indexOf('\n'); end >= 0 && !rest.startsWith(savedStart); end = rest.indexOf('\n')) {
        outcome = readLine(rest.slice(0, end), listener) ?? outcome;
        rest = rest.slice(end + 1);
      }
      inSaved = rest.startsWith(savedStart);
    }
    if (inSaved) rest = takeSaved(rest, listener);
  }
  if (inSaved) return /\}\s*\}\s*\]\s*$/.test(rest) ? { errors: [] } : null;
  return readLine(rest, listener) ?? outcome;
}

/** Tells of the whole entries in the text and gives what is left after them. */
function takeSaved(text: string, listener: BatchListener): string {
  let end = 0;
  for (const entry of text.matchAll(savedEntry)) {
    // The pattern took a whole JSON string.
    listener.onSaved(String(JSON.parse(`"${entry[1] ?? ''}"`)));
    end = entry.index + entry[0].length;
  }
  return text.slice(end);
}

function readLine(line: string, listener: BatchListener): BatchOutcome {
  const text = line.trim().replace(/,$/, '');
  if (!text.startsWith('{')) return null;
  const object = parsed(text);
  if (!isObject(object)) return null;
  for (const status of objectsOf(object, 'status'))
    if (status['type'] === 'started') listener.onPhase(textOf(status, 'label') ?? '');
  if (typeof object['ticks'] === 'number')
    listener.onTicks(object['ticks'], typeof object['total'] === 'number' ? object['total'] : null);
  if ('errors' in object) return { errors: [...textsOf(object, 'errors'), ...faultLines(object)] };
  return 'saved' in object ? { errors: [] } : null;
}

/** A line for each bad record, where the service tells of several. */
function faultLines(outcome: JsonObject): readonly string[] {
  const report = objectOf(outcome, 'report') ?? {};
  const lines = objectsOf(report, 'faults').map((fault) => {
    const messages = Object.entries(objectOf(fault, 'errors') ?? {}).map(
      ([property, says]) => `${property} ${Array.isArray(says) ? says.join('; ') : JSON.stringify(says)}`,
    );
    return `Record ${String(fault['record_number'])}, ${textOf(fault, 'record_title') ?? textOf(fault, 'record_uri') ?? textOf(fault, 'record_type') ?? 'without a title'}: ${messages.join(', ')}`;
  });
  return lines.length > 0 && report['complete'] !== true ? [...lines, 'There may be more.'] : lines;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // The reply broke off within the line.
  }
}

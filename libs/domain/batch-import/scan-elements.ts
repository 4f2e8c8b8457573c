// A look at the elements of a block without parsing them: where each stands, and its uri and type. The first pass of a batch import
// needs no more of most records, and parsing a record costs several times as much as following its strings and brackets.

/** An element: bytes from `start` to before `end`. `uri` and `type` are undefined where only parsing can tell them, or that a term is in it. */
export type ScannedElement = { readonly start: number; readonly end: number } & (
  | { readonly uri: string; readonly type: string }
  | { readonly uri: undefined; readonly type: undefined }
);

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

// A name written with escapes is six bytes a letter at most, so a longer string with escapes is none of the names that matter here.
const longestEscaped = 6 * 'jsonmodel_type'.length;

const isBlank = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

const decoder = new TextDecoder('utf-8', { fatal: true });
const nameOfUri = new TextEncoder().encode('uri');
const nameOfType = new TextEncoder().encode('jsonmodel_type');
const nameOfTerms = new TextEncoder().encode('terms');

/**
 * The elements of `[{…},{…}]`, as the record scanner cuts it: brackets match, and every element is an object. What is no JSON in other
 * ways may look like anything here and must be parsed before it is stored. Of a property that comes twice the last counts, as in JSON.parse.
 */
export function scanElements(bytes: Uint8Array): readonly ScannedElement[] {
  const found: ScannedElement[] = [];
  let here = 1;
  for (;;) {
    while (here < bytes.length && bytes[here] !== openBrace) here += 1;
    if (here >= bytes.length) return found;
    const element = scanElement(bytes, here);
    found.push(element);
    here = element.end;
  }
}

/** The element that begins at `start`. */
// oxlint-disable-next-line complexity -- The hot loop of the first pass: locals alone, no calls for a byte.
function scanElement(bytes: Uint8Array, start: number): ScannedElement {
  const end = bytes.length;
  let here = start + 1;
  let depth = 1;
  let expectsName = true;
  let isPlain = true;
  // Where the value of a property that matters is to come.
  let awaited: 'uri' | 'type' | undefined;
  const values: { uri: string | undefined; type: string | undefined } = { uri: undefined, type: undefined };
  while (here < end && depth > 0) {
    const byte = bytes[here];
    here += 1;
    if (byte === quote) {
      const from = here;
      let isEscaped = false;
      while (here < end && bytes[here] !== quote) {
        if (bytes[here] === backslash) {
          isEscaped = true;
          here += 1;
        }
        here += 1;
      }
      const length = here - from;
      here += 1;
      if (isEscaped && length <= longestEscaped) isPlain = false;
      if (length === nameOfTerms.length && isAt(bytes, from, nameOfTerms) && !isEmptyList(bytes, here)) isPlain = false;
      if (depth > 1) continue;
      if (!expectsName) {
        if (awaited !== undefined) values[awaited] = isEscaped ? undefined : decoded(bytes, from, from + length);
        awaited = undefined;
      } else if (length === nameOfUri.length && isAt(bytes, from, nameOfUri)) awaited = 'uri';
      else if (length === nameOfType.length && isAt(bytes, from, nameOfType)) awaited = 'type';
      expectsName = false;
    } else if (byte === comma) {
      if (depth > 1) continue;
      // A value that is no string: what it is must be told by the check of the record.
      if (awaited !== undefined) isPlain = false;
      awaited = undefined;
      expectsName = true;
    } else if (byte === openBrace || byte === openBracket) depth += 1;
    else if (byte === closeBrace || byte === closeBracket) depth -= 1;
  }
  if (awaited !== undefined) isPlain = false;
  const { uri, type } = values;
  return isPlain && uri !== undefined && type !== undefined
    ? { start, end: here, uri, type }
    : { start, end: here, uri: undefined, type: undefined };
}

function isAt(bytes: Uint8Array, from: number, name: Uint8Array): boolean {
  for (let at = 0; at < name.length; at++) if (bytes[from + at] !== name[at]) return false;
  return true;
}

/** Whether `: []` follows, with any blanks. */
function isEmptyList(bytes: Uint8Array, from: number): boolean {
  let at = from;
  for (const wanted of [colon, openBracket, closeBracket]) {
    while (isBlank(bytes[at])) at += 1;
    if (bytes[at] !== wanted) return false;
    at += 1;
  }
  return true;
}

/** A string without escapes; undefined where it is no UTF-8. */
function decoded(bytes: Uint8Array, from: number, to: number): string | undefined {
  try {
    return decoder.decode(bytes.subarray(from, to));
  } catch {
    return undefined;
  }
}

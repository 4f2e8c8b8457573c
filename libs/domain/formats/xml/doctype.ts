// The internal subset of a DOCTYPE: the entities that a document declares as a short plain text of its own. Nothing else of a DTD is read:
// no external subset, no parameter entity, no entity that stands elsewhere, holds markup or holds other entities.

const longestEntity = 1000;

/** Names and texts of the plain entities that the text of a DOCTYPE declares; of a name that is declared twice the first counts (XML 1.0, 4.2). */
export function plainEntities(doctype: string): ReadonlyMap<string, string> {
  const subset = withoutComments(doctype.slice(doctype.indexOf('[') + 1));
  const entities = new Map<string, string>();
  for (const [, name, quoted = ''] of subset.matchAll(/<!ENTITY\s+([^\s%"'<>&;]+)\s+("[^"]*"|'[^']*')\s*>/g)) {
    const text = plainText(quoted.slice(1, -1));
    if (name !== undefined && text !== undefined && !entities.has(name)) entities.set(name, text);
  }
  return entities;
}

// By hand: what begins many comments and ends none would be searched to its end again for each of them.
function withoutComments(text: string): string {
  const pieces: string[] = [];
  let at = 0;
  for (let start = text.indexOf('<!--'); start !== -1; start = text.indexOf('<!--', at)) {
    const end = text.indexOf('-->', start + 4);
    if (end === -1) break;
    pieces.push(text.slice(at, start));
    at = end + 3;
  }
  return [...pieces, text.slice(at)].join('');
}

/** The text with its character references resolved; undefined where it holds more than text. */
function plainText(value: string): string | undefined {
  if (value.length > longestEntity || value.includes('<') || value.includes('%')) return undefined;
  const rest = value.replace(/&#(?:x[0-9a-f]{1,6}|\d{1,7});/gi, '');
  if (rest.includes('&')) return undefined;
  const text = value.replace(/&#(x?)([0-9a-f]+);/gi, (_reference, isHex: string, digits: string) => {
    const code = Number.parseInt(digits, isHex === '' ? 10 : 16);
    return code <= 0x10ffff && isCharacter(code) ? String.fromCodePoint(code) : '<';
  });
  // A reference may not bring in what would be markup where it stands.
  return /[<&]/.test(text) ? undefined : text;
}

/** Production 2 of XML 1.0. */
const isCharacter = (code: number): boolean =>
  [0x9, 0xa, 0xd].includes(code) ||
  (code >= 0x20 && code <= 0xd7ff) ||
  (code >= 0xe000 && code <= 0xfffd) ||
  code >= 0x10000;

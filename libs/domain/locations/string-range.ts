// Ranges of coordinates as archivists label shelves: 1 to 10, 01 to 12, A to F, aa to ad (contract 6.9).
// The order is that of successor strings, which clients know from the reference.

const alphanumeric = /[0-9A-Za-z]/;
const digits = /^\d+$/;

/** The text after `text`: its last letter or digit goes one on and carries to the next on the left; a text without any goes one character on. */
export function successor(text: string): string {
  const characters = [...text];
  const places = characters.flatMap((character, index) => (alphanumeric.test(character) ? [index] : []));
  if (places.length === 0) {
    const last = characters.pop();
    return last === undefined ? '' : characters.join('') + String.fromCodePoint((last.codePointAt(0) ?? 0) + 1);
  }
  for (const place of places.toReversed()) {
    const [next, carries] = nextOf(characters[place] ?? '');
    characters[place] = next;
    if (!carries) return characters.join('');
  }
  const first = places[0] ?? 0;
  const grown = characters[first] === '0' ? '1' : (characters[first] ?? '');
  return [...characters.slice(0, first), grown, ...characters.slice(first)].join('');
}

/** The character after a letter or digit, and whether it began anew. */
function nextOf(character: string): readonly [string, boolean] {
  if (character === '9') return ['0', true];
  if (character === 'z') return ['a', true];
  if (character === 'Z') return ['A', true];
  return [String.fromCodePoint((character.codePointAt(0) ?? 0) + 1), false];
}

/**
 * The texts from `start` to `end`, at most `most`. Numbers are counted in the width of the start, single characters by their code, all
 * else by successors, as far as a text is no longer than the end. Empty where the end is before the start.
 */
export function stringRange(start: string, end: string, most: number): readonly string[] {
  if (digits.test(start) && digits.test(end)) return numberRange(start, end, most);
  if (start.length === 1 && end.length === 1) {
    const [first, last] = [start.charCodeAt(0), end.charCodeAt(0)];
    return Array.from({ length: Math.min(most, Math.max(0, last - first + 1)) }, (_, step) =>
      String.fromCharCode(first + step),
    );
  }
  if (start > end) return [];
  const found: string[] = [];
  for (let text = start; found.length < most && text.length <= end.length; text = successor(text)) {
    found.push(text);
    if (text === end) break;
  }
  return found;
}

function numberRange(start: string, end: string, most: number): readonly string[] {
  const [first, last] = [BigInt(start), BigInt(end)];
  const found: string[] = [];
  for (let number = first; number <= last && found.length < most; number += 1n)
    found.push(String(number).padStart(start.length, '0'));
  return found;
}

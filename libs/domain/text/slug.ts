// Slugs: the readable part of a public address, made from a title, name or identifier (contract 6.16).

const longest = 50;
// Quotes and marks that a slug never holds; '--' is dropped before, a lone hyphen stays.
const dropped = /['"“”‘’&;?$<>#%{}|\\^~[\]`/*()@=:+,!.]/g;

/** The slug of a text: ASCII, lower case, blanks to underscores, at most 50 characters; empty where nothing is left. Uniqueness is the store's. */
export function toSlug(text: string): string {
  // Behind the last `>` no tag ends: each `<` there would be looked after to the end of the text.
  const tagged = text.lastIndexOf('>') + 1;
  const plain = `${text.slice(0, tagged).replace(/<[^>]*>/g, '')}${text.slice(tagged)}`
    .normalize('NFKD')
    .replace(/[^\x20-\x7e\s]/g, '')
    .toLowerCase();
  const cleaned = plain
    .replace(/--/g, '')
    .replace(dropped, '')
    .trim()
    .replace(/\s/g, '_')
    .replace(/_+/g, '_')
    .slice(0, longest)
    .replace(/^_+|_+$/g, '');
  return /^\d+$/.test(cleaned) ? `__${cleaned}` : cleaned;
}

// Addresses and identifiers as values of the type anyURI (XML Schema 2, 3.2.17).

/** Text as a value of anyURI: blanks and other characters that no address has are escaped. Half a surrogate pair is no character: U+FFFD stands for it. */
export const addressOf = (id: string | undefined): string | undefined =>
  id === undefined
    ? undefined
    : wellPlaced(
        id
          .toWellFormed()
          .trim()
          .replace(/[^\w\-.~:/?#[\]@!$&'()*+,;=%]/gu, (character) => encodeURIComponent(character)),
      );

/** An address whose characters may all stand in one, with those escaped that may not stand where they do: `%`, `#`, `:` and brackets. */
export function wellPlaced(address: string): string {
  const [host = ''] = /^[A-Za-z][\w+.-]*:\/\/(?:[^/?#]*@)?\[[\dA-Fa-f:.]+\]/.exec(address) ?? [];
  const [path = '', ...fragment] = address
    .slice(host.length)
    .replace(/%(?![0-9A-Fa-f]{2})/g, '%25')
    .replace(/[[\]]/g, encodeURIComponent)
    .split('#')
    .map((part, at) => (at < 2 ? part : `%23${part}`));
  const rest = fragment.length === 0 ? path : `${path}#${fragment.join('')}`;
  if (host !== '') return host + rest;
  // Before the first slash a colon ends the name of a scheme; what else stands before one is none.
  const [first = ''] = /^[^/?#]*/.exec(rest) ?? [];
  return first.includes(':') && !/^[A-Za-z][\w+.-]*:/.test(first)
    ? `${first.replaceAll(':', '%3A')}${rest.slice(first.length)}`
    : rest;
}

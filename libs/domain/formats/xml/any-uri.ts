// Addresses and identifiers as values of the type anyURI (XML Schema 2, 3.2.17).

/** Text as a value of anyURI: blanks and other characters that no address has are escaped. Half a surrogate pair is no character: U+FFFD stands for it. */
export const addressOf = (id: string | undefined): string | undefined => (id === undefined ? undefined : id.toWellFormed().replace(/[^\w\-.~:/?#[\]@!$&'()*+,;=%]/gu, (character) => encodeURIComponent(character)).replace(/%(?![0-9A-Fa-f]{2})/g, '%25'));

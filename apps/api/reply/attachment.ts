// The header that names a file for who stores it.

/** `Content-Disposition` for a file of this name: plain for ASCII names, else with the name in UTF-8 beside a plain one (RFC 6266, RFC 8187). */
export function attachment(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\]/g, '_');
  if (plain === fileName) return `attachment; filename="${fileName}"`;
  // Of the characters that encodeURIComponent leaves, these are not allowed there.
  const encoded = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

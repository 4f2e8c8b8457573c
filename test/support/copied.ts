// Fields of binary COPY rows, to be looked at.

/** The values of the fields in bytes, as they are: null, or their bytes. */
export function copiedFields(bytes: Uint8Array): readonly (Buffer | null)[] {
  const all = Buffer.from(bytes);
  const fields: (Buffer | null)[] = [];
  for (let at = 0; at < all.length;) {
    const length = all.readInt32BE(at);
    at += 4;
    fields.push(length === -1 ? null : all.subarray(at, at + length));
    at += Math.max(0, length);
  }
  return fields;
}

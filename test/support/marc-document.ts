// Small MARCXML documents for tests.

/** A data field with a subfield for each entry; texts are XML. */
export function marcField(
  tag: string,
  ind1: string,
  ind2: string,
  subfields: Readonly<Record<string, string>>,
): string {
  const inner = Object.entries(subfields)
    .map(([code, text]) => `<subfield code="${code}">${text}</subfield>`)
    .join('');
  return `<datafield tag="${tag}" ind1="${ind1}" ind2="${ind2}">${inner}</datafield>\n`;
}

/** A record of these fields; `fixed` is field 008, `number` field 001. */
export function marcRecord(
  fields: string,
  {
    leader = '00000npca 22000001a 4500',
    fixed,
    number,
  }: { readonly leader?: string; readonly fixed?: string; readonly number?: string } = {},
): string {
  const control = (tag: string, text: string | undefined): string =>
    text === undefined ? '' : `<controlfield tag="${tag}">${text}</controlfield>\n`;
  return `<?xml version="1.0"?><record xmlns="http://www.loc.gov/MARC21/slim">\n<leader>${leader}</leader>\n${control('001', number)}${control('008', fixed)}${fields}</record>`;
}

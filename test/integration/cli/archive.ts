// Small batches and finding aids for tests of the command line.
import { resource } from '#domain/kinds/resource.ts';

/** A JSON array: a resource with two series, the first of which has `files` files. Identifiers and titles carry the mark. */
export function batchOf(mark: string, files = 3): string {
  const root = '/repositories/1/resources/import_r';
  const node = (uri: string, title: string, level: string, position: number, parent?: string) => ({
    jsonmodel_type: 'archival_object',
    uri: `/repositories/1/archival_objects/import_${uri}`,
    title,
    level,
    position,
    resource: { ref: root },
    ...(parent === undefined ? {} : { parent: { ref: `/repositories/1/archival_objects/import_${parent}` } }),
  });
  return JSON.stringify([
    {
      ...resource.example,
      jsonmodel_type: 'resource',
      uri: root,
      title: `Papers of <emph render="italic">${mark}</emph>`,
      id_0: mark,
      level: 'fonds',
    },
    {
      ...node('a', 'Letters & notes', 'series', 0),
      dates: [{ date_type: 'inclusive', label: 'creation', begin: '1901', end: '1910' }],
    },
    node('b', 'Plans', 'series', 1),
    ...Array.from({ length: files }, (_, index) => node(`a${index}`, `Letter ${index + 1}`, 'file', index, 'a')),
  ]);
}

/** A finding aid in EAD 2002 with two series and a file. */
export function findingAid(mark: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- made for a test -->
<ead xmlns="urn:isbn:1-931666-22-9">
  <eadheader><eadid>${mark}</eadid><filedesc><titlestmt><titleproper>Finding aid</titleproper></titlestmt></filedesc>
    <profiledesc><langusage>English</langusage></profiledesc></eadheader>
  <archdesc level="fonds">
    <did><unittitle>Papers of ${mark}</unittitle><unitid>${mark}</unitid><unitdate type="inclusive" normal="1900/1910">1900-1910</unitdate>
      <physdesc><extent>2 linear feet</extent></physdesc><langmaterial><language langcode="eng">English</language></langmaterial></did>
    <dsc>
      <c01 level="series"><did><unittitle>Letters</unittitle></did>
        <c02 level="file"><did><unittitle>Letter to the harbour master</unittitle></did></c02></c01>
      <c01 level="series"><did><unittitle>Plans</unittitle></did></c01>
    </dsc>
  </archdesc>
</ead>`;
}

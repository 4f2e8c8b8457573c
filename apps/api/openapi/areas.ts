// What each area of the documentation holds. Areas of kinds say what the thing is to an archivist; the others stand here.
import { kinds } from '#domain/kinds/index.ts';
import { areaOf } from '../record-routes/names.ts';

const own: { readonly [area: string]: string } = {
  'OAI-PMH': 'The OAI-PMH 2.0 provider, its settings, and a page to try it.',
  'ark names': 'The ARKs of resources and archival objects.',
  'batch deletes': 'Several records at once, all or none.',
  'batch imports': 'Many records in one request, all or none, with progress.',
  'bulk updates': 'Spreadsheets for changing many archival objects.',
  calculators: 'The time and the shelf space that records take, and the space that is left.',
  'collection management': 'Collection management by its own address.',
  enumerations: 'Controlled lists and their values.',
  exports: 'Records as documents of the standards: EAD, EAC-CPF, MARCXML, MODS, METS, Dublin Core, PDF, CSV.',
  feeds: 'What changed, what was deleted, who edits what.',
  jobs: 'What takes long: made, followed, canceled, with their logs and files.',
  lookups: 'Records by identifiers, ARKs and slugs.',
  merges: 'Several records made one, with a preview, and undone.',
  permissions: 'The codes that groups can grant.',
  reports: 'Reports on offer; jobs make them.',
  'repository settings': 'Default values and required fields of forms.',
  schemas: 'The schemas of records as JSON Schema.',
  search: 'Everything by its words, with facets, and titles while typing.',
  system: 'What the service is, and how it is.',
  trees: 'The order below resources, digital objects and classifications.',
  webhooks: 'Who is told of changes.',
};

/** What an area holds; undefined for one that nobody described. */
export function areaText(area: string): string | undefined {
  return own[area] ?? [...kinds.values()].find((kind) => areaOf(kind) === area)?.doc;
}

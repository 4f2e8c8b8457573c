// The context of an export in unit tests, and small records whose refs are resolved.
import type { ExportContext } from '#domain/formats/writing/context.ts';
import type { JsonObject } from '#domain/json.ts';

/** A context; labels are the values in capitals. */
export function makeExportContext(changes: Partial<ExportContext> = {}): ExportContext {
  return {
    label: (_list, value) => value.toUpperCase(),
    publicUrl: 'http://public.example',
    serviceUrl: 'http://service.example',
    includesUnpublished: false,
    product: 'Muniment',
    showsArks: true,
    release: 'R-B',
    now: new Date('2026-01-02T03:04:05.678Z'),
    repository: { name: 'Repository', org_code: 'ORG', country: 'DE', publish: true },
    ...changes,
  };
}

/** A published person as an agent link of a role. */
export function personLink(name: JsonObject = {}, link: JsonObject = {}, agent: JsonObject = {}): JsonObject {
  const whole = {
    primary_name: 'Muster',
    rest_of_name: 'Anna',
    name_order: 'inverted',
    sort_name: 'Muster, Anna',
    is_display_name: true,
    ...name,
  };
  return {
    ref: '/agents/people/1',
    role: 'creator',
    ...link,
    _resolved: { jsonmodel_type: 'agent_person', publish: true, display_name: whole, names: [whole], ...agent },
  };
}

/** A subject as a ref with its record. */
export const subjectRef = (subject: JsonObject): JsonObject => ({
  ref: '/subjects/1',
  _resolved: { publish: false, ...subject },
});

/** The data fields of MARCXML as lines: tag, both indicators, and `$a text` for each subfield. */
export function marcLines(xml: string): readonly string[] {
  return [...xml.matchAll(/<datafield tag="(\d+)" ind1="(.)" ind2="(.)">(.*?)<\/datafield>/g)].map(
    ([, tag, ind1, ind2, content = '']) =>
      [
        `${tag} ${ind1}${ind2}`,
        ...[...content.matchAll(/<subfield code="(.)">(.*?)<\/subfield>/g)].map(([, code, text]) => `$${code} ${text}`),
      ]
        .join(' ')
        .replace(/^(\d{3} ..)/, (start) => start.replaceAll(' ', '_').replace('_', ' ')),
  );
}

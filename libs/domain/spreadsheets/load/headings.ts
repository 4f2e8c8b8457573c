// The agents and subjects of rows (contract trees-and-jobs 6.7): those that are there are linked, others are made, once for a sheet.
import type { Json, JsonObject } from '../../json.ts';
import type { LoadBook } from './book.ts';
import type { SheetAgentKind } from './facts.ts';
import { agentColumns, idOf } from './facts.ts';
import type { Part, RowReader } from './row-reader.ts';

/** What a sheet's headings are found in. */
export type KnownHeadings = {
  agents(kind: SheetAgentKind, header: string): readonly string[];
  agent(kind: SheetAgentKind, id: number): string | undefined;
  subject(id: number): string | undefined;
};

const nameProperty: { readonly [kind in SheetAgentKind]: string } = {
  agent_person: 'primary_name',
  agent_family: 'family_name',
  agent_corporate_entity: 'primary_name',
};

/** The agents of a row as links, in the order of their columns; `most` is the highest number that columns have. */
export function readAgents(reader: RowReader, most: number, known: KnownHeadings, book: LoadBook): readonly Part[] {
  return agentColumns.flatMap(([prefix, kind]) =>
    numbers(most).flatMap((n): readonly Part[] => {
      const code = (name: string): string => `${prefix}_agent_${name}_${n}`;
      const ref = agentRef(reader, kind, { id: code('record_id'), header: code('header') }, known, book);
      if (ref === undefined) return [];
      const role = reader.value(code('role'), 'linked_agent_role') ?? 'creator';
      const relator = reader.value(code('relator'), 'linked_agent_archival_record_relators');
      return [
        {
          body: { ref, role, ...(relator === undefined ? {} : { relator }) },
          codes: { ref: code('header'), role: code('role'), relator: code('relator') },
        },
      ];
    }),
  );
}

/** By id, else by the header under which an agent is shown, else a new one. */
function agentRef(
  reader: RowReader,
  kind: SheetAgentKind,
  codes: { readonly id: string; readonly header: string },
  known: KnownHeadings,
  book: LoadBook,
): string | undefined {
  const given = reader.text(codes.id);
  if (given !== undefined) {
    const uri = known.agent(kind, idOf(given) ?? -1);
    if (uri === undefined) reader.wrong(codes.id, `There is no ${kind} ${given}`);
    return uri;
  }
  const header = reader.text(codes.header);
  if (header === undefined) return undefined;
  const found = known.agents(kind, header);
  if (found.length > 1)
    reader.wrong(
      codes.header,
      `Several agents are called ${header} (${found.slice(0, 5).join(', ')}); name one by its record id`,
    );
  if (found.length > 0) return found[0];
  const name = {
    jsonmodel_type: kind.replace('agent', 'name'),
    [nameProperty[kind]]: header,
    ...(kind === 'agent_person' ? { name_order: 'inverted' } : {}),
    source: 'ingest',
    sort_name_auto_generate: true,
    authorized: true,
    is_display_name: true,
  };
  return book.make(reader, {
    kind,
    key: header,
    body: { names: [name] },
    columns: { names: codes.header },
    says: `${kind} ${header}`,
  });
}

/** The subjects of a row as links. A term without a type is topical, one without a source of the list's `ingest`. */
export function readSubjects(reader: RowReader, most: number, known: KnownHeadings, book: LoadBook): readonly Part[] {
  const refs = numbers(most).flatMap((n): readonly { readonly ref: string; readonly code: string }[] => {
    const code = (name: string): string => `subject_${n}_${name}`;
    const given = reader.text(code('record_id'));
    if (given !== undefined) {
      const ref = known.subject(idOf(given) ?? -1);
      if (ref === undefined) reader.wrong(code('record_id'), `There is no subject ${given}`);
      return ref === undefined ? [] : [{ ref, code: code('record_id') }];
    }
    const term = reader.text(code('term'));
    const type = reader.value(code('type'), 'subject_term_type') ?? 'topical';
    const source = reader.value(code('source'), 'subject_source') ?? 'ingest';
    if (term === undefined) return [];
    const vocabulary = '/vocabularies/1';
    const terms: readonly Json[] = [{ jsonmodel_type: 'term', term, term_type: type, vocabulary }];
    const body: JsonObject = { source, terms, vocabulary };
    return [
      {
        code: code('term'),
        ref: book.make(reader, {
          kind: 'subject',
          key: JSON.stringify([source, type, term]),
          body,
          columns: { terms: code('term'), source: code('source') },
          says: `subject ${term}`,
        }),
      },
    ];
  });
  return refs
    .filter(({ ref }, index) => refs.findIndex((other) => other.ref === ref) === index)
    .map(({ ref, code }) => ({ body: { ref }, codes: { ref: code } }));
}

const numbers = (most: number): readonly number[] => Array.from({ length: most }, (_, index) => index + 1);

/** The highest number in codes of agents and subjects (`people_agent_header_5`, `subject_2_term`); 0 where the sheet has none. */
export const mostHeadings = (codes: readonly string[]): number =>
  codes.reduce(
    (most, code) =>
      Math.max(
        most,
        Number(/^\w+_agent_\w+?_(\d{1,2})$/.exec(code)?.[1] ?? /^subject_(\d{1,2})_/.exec(code)?.[1] ?? 0),
      ),
    0,
  );

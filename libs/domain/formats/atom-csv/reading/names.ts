// Names of AtoM as agents. The sheets of descriptions and accessions give names without saying whose they are, so their form must tell.
import type { JsonObject } from '../../../json.ts';
import type { ReadingContext } from '../../reading/context.ts';
import { textSubnotes } from '../../reading/note-records.ts';
import { withoutTail } from '../../../text/without-tail.ts';

/** Kinds of agents that AtoM has. */
export type AtomAgent = 'agent_person' | 'agent_family' | 'agent_corporate_entity';

const words: { readonly [kind in AtomAgent]: string } = {
  agent_person: 'a person',
  agent_family: 'a family',
  agent_corporate_entity: 'a corporate body',
};

const lifeDates = /,?\s{0,3}\(?((?:ca?\.?\s{0,3})?\d{3,4}\s{0,3}[-–]\s{0,3}(?:\d{3,4})?)\)?$/;

/** The name as a sub-record of the kind: of persons `Surname, Forename, 1900-1950` is taken apart. */
export function nameOf(kind: AtomAgent, text: string): JsonObject {
  const common = { sort_name_auto_generate: true, source: 'local' };
  if (kind === 'agent_corporate_entity')
    return { jsonmodel_type: 'name_corporate_entity', primary_name: text, ...common };
  if (kind === 'agent_family') return { jsonmodel_type: 'name_family', family_name: text, ...common };
  const dates = lifeDates.exec(text)?.[1];
  const bare = dates === undefined ? text : withoutTail(text.replace(lifeDates, ''), ', ');
  const comma = bare.indexOf(', ');
  const [primary, rest] = comma <= 0 ? [bare, ''] : [bare.slice(0, comma), bare.slice(comma + 2)];
  return {
    jsonmodel_type: 'name_person',
    primary_name: primary === '' ? text : primary,
    ...(rest === '' ? {} : { rest_of_name: rest }),
    name_order: rest === '' ? 'direct' : 'inverted',
    ...(dates === undefined ? {} : { dates }),
    ...common,
  };
}

/** The kind of agent that bears a name, by its form. */
export function kindOfName(text: string): AtomAgent {
  if (/\b(?:family|famille|familie|familia|famiglia)\b/iu.test(text)) return 'agent_family';
  // `Surname, Forename` with life dates or not; corporate bodies have several commas, or words that are no names.
  const bare = text.replace(lifeDates, '');
  if (
    /^[\p{L}'’. -]+, [\p{Lu}][\p{L}'’. -]*$/u.test(bare) &&
    !/\b(?:inc|ltd|llc|gmbh|co|corp|limited|department|office|ministry|division)\b\.?/iu.test(bare)
  )
    return 'agent_person';
  return lifeDates.test(text) && /^\p{Lu}/u.test(text) && !/\b(?:inc|ltd|co|corp)\b/iu.test(text)
    ? 'agent_person'
    : 'agent_corporate_entity';
}

/** What the whole sheet tells of one who is named: their history, and how to reach them. */
export type AtomAbout = {
  readonly history?: string | undefined;
  readonly contacts?: readonly JsonObject[] | undefined;
};

/** Emits the agent of a name, once for each, and gives its uri. Tells once what it was taken for. */
export function emitNamed(
  context: ReadingContext,
  at: { readonly line: number; readonly column: string },
  text: string,
  more: AtomAbout = {},
): string {
  const kind = kindOfName(text);
  context.report.dropTextOnce(
    at.line,
    at.column,
    text,
    `whose name it is was not said; its form says: of ${words[kind]}`,
  );
  const name = { ...nameOf(kind, text), authorized: true, is_display_name: true };
  const notes =
    more.history === undefined
      ? {}
      : { notes: [{ jsonmodel_type: 'note_bioghist', subnotes: textSubnotes(more.history, true), publish: true }] };
  const contacts = more.contacts === undefined || more.contacts.length === 0 ? {} : { agent_contacts: more.contacts };
  return context.emitOnce(kind, text, { names: [name], publish: true, ...notes, ...contacts });
}

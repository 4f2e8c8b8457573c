// Agents as headings of a bibliographic MARC record: 1xx, 6xx and 7xx (contract behaviour-exports 4, names and punctuation).
import type { JsonObject } from '../../../json.ts';
import { objectsOf, textOf } from '../../../json.ts';
import type { AgentLink, ExportContext } from '../../writing/context.ts';
import { agentLinks, displayName, termsOf } from '../../writing/context.ts';
import type { Field, Subfield } from './fields.ts';
import { field } from './fields.ts';
import { sourceIndicator, subdivision } from './subjects.ts';

type Heading = { readonly tag: string; readonly ind1: string; readonly parts: readonly Subfield[] };

/** The main entry: the primary creator, else the first; then creators and sources as added entries, and agents that are subjects. */
export function agentFields(record: JsonObject, context: ExportContext): readonly Field[] {
  const creators = agentLinks(record, ['creator']);
  const main = creators.find(({ link }) => link['is_primary'] === true) ?? creators[0];
  const others = [...creators.filter((creator) => creator !== main), ...agentLinks(record, ['source'])];
  return [
    ...(main === undefined ? [] : entry(main, '1', context)),
    ...others.flatMap((agent) => entry(agent, '7', context)),
    ...agentLinks(record, ['subject']).flatMap((agent) => subjectEntry(agent, context)),
  ];
}

function entry({ link, agent }: AgentLink, group: '1' | '7', context: ExportContext): readonly Field[] {
  const relator = textOf(link, 'relator');
  const label = relator === undefined ? undefined : context.label('linked_agent_archival_record_relators', relator);
  // A relator without a label is told by its code alone.
  const role =
    relator === undefined
      ? textOf(link, 'role') === 'source'
        ? 'former owner'
        : 'creator'
      : label === relator
        ? undefined
        : label;
  const heading = headingOf(agent, group, role);
  if (heading === undefined) return [];
  return [field(heading.tag, `${heading.ind1} `, ...punctuated(heading), ['0', identifierOf(agent)], ['4', relator])];
}

function subjectEntry({ link, agent }: AgentLink, context: ExportContext): readonly Field[] {
  const name = displayName(agent);
  const relator = textOf(link, 'relator');
  if (textOf(agent, 'jsonmodel_type') === 'agent_software')
    return [field('653', '  ', ['a', textOf(name, 'software_name')])];
  const label = relator === undefined ? undefined : context.label('linked_agent_archival_record_relators', relator);
  const heading = headingOf(agent, '6', label === relator ? undefined : label);
  if (heading === undefined) return [];
  const terms = termsOf(link).map((term): Subfield => [subdivision(textOf(term, 'term_type')), textOf(term, 'term')]);
  const [ind2, source] = sourceIndicator(textOf(name, 'source'));
  return [
    field(
      heading.tag,
      `${heading.ind1}${ind2}`,
      ...punctuated({ ...heading, parts: [...heading.parts, ...terms] }),
      ['2', source],
      ['0', terms.length === 0 ? identifierOf(agent) : undefined],
      ['4', relator],
    ),
  ];
}

/** One clean $0: the first record identifier of the agent, else the authority id of its name. */
const identifierOf = (agent: JsonObject): string | undefined =>
  textOf(objectsOf(agent, 'agent_record_identifiers')[0], 'record_identifier') ??
  textOf(displayName(agent), 'authority_id');

const inBrackets = (text: string | undefined): string | undefined => (text === undefined ? undefined : `(${text})`);

function headingOf(agent: JsonObject, group: string, role: string | undefined): Heading | undefined {
  const name = displayName(agent);
  if (name === undefined) return undefined;
  const of = (property: string): string | undefined => textOf(name, property);
  switch (textOf(agent, 'jsonmodel_type')) {
    case 'agent_person': {
      const isDirect = of('name_order') === 'direct';
      const parts = [of('primary_name'), of('rest_of_name')].filter((part) => part !== undefined);
      const titles = [of('prefix'), of('title'), of('suffix')].filter((part) => part !== undefined).join(', ');
      return {
        tag: `${group}00`,
        ind1: isDirect ? '0' : '1',
        parts: [
          ['a', parts.join(isDirect ? ' ' : ', ')],
          ['b', of('number')],
          ['c', titles],
          ['d', of('dates')],
          ['e', role],
          ['g', inBrackets(of('qualifier'))],
          ['q', inBrackets(of('fuller_form'))],
        ],
      };
    }
    case 'agent_family':
      return {
        tag: `${group}00`,
        ind1: '3',
        parts: [
          ['a', of('family_name')],
          ['d', of('dates')],
          ['c', of('qualifier')],
          ['e', role],
        ],
      };
    case 'agent_corporate_entity':
      return {
        tag: `${group}10`,
        ind1: '2',
        parts: [
          ['a', of('primary_name')],
          ['b', of('subordinate_name_1')],
          ['b', of('subordinate_name_2')],
          ['e', role],
          ['g', inBrackets(of('qualifier'))],
          ['n', inBrackets(of('number'))],
        ],
      };
    default:
      // Software as a creator: an uncontrolled name, where the reference fails.
      return {
        tag: group === '6' ? '653' : '720',
        ind1: ' ',
        parts: [
          ['a', of('software_name')],
          ['e', role],
        ],
      };
  }
}

/** Commas before what follows a name, full stops where a part or the whole name ends. Parts without text are left out. */
function punctuated({ tag, parts }: Heading): readonly Subfield[] {
  const isCorporate = tag.endsWith('10');
  const beforeComma = isCorporate ? 'eng' : 'cde';
  const present = parts.flatMap(([code, text]): readonly (readonly [string, string])[] =>
    text === undefined || text === '' ? [] : [[code, text]],
  );
  return present.map(([code, text], index): Subfield => {
    const next = present[index + 1]?.[0];
    if (next === undefined) return [code, ended(text)];
    if (beforeComma.includes(next)) return [code, text.endsWith(',') ? text : `${text},`];
    return [code, isCorporate && 'ab'.includes(code) && !'tvxyz'.includes(next) ? ended(text) : text];
  });
}

const ended = (text: string): string => (/[.)]$/.test(text) ? text : `${text}.`);

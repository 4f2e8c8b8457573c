// What a printed finding aid says, as lines with their part and depth: the same as the HTML page, ready for whoever sets it on paper.
import type { JsonObject } from '../../../json.ts';
import { objectOf, objectsOf, textOf } from '../../../json.ts';
import { resolvedOf, identifierOf } from '../../writing/context.ts';
import { audience, dateText, plain } from '../../writing/finding-aid.ts';
import type { FindingAidSetting } from '../../writing/finding-aid.ts';
import { contactLines } from '../../writing/contact.ts';
import { publishedPart } from '../../writing/published.ts';
import { groupLevels } from '../groups.ts';
import { readableTerms } from '../terms.ts';
import type { Wording } from '../terms.ts';
import { inlineText, printedNotes } from './paragraphs.ts';

/** What a line is: `title_page` lines are centred, `section` begins a part of the document, `component` is the title of one. */
export type LinePart =
  | 'title_page'
  | 'contact'
  | 'title'
  | 'section'
  | 'component'
  | 'term'
  | 'note'
  | 'paragraph'
  | 'item';

/** A line. `depth` 0 is the resource. `term` stands before the text. `bookmark`: whether the outline of the document names the line. */
export type Line = {
  readonly part: LinePart;
  readonly depth: number;
  readonly text: string;
  readonly term?: string;
  readonly bookmark?: true;
};

const wording: Wording = {
  text: (text) => text,
  inline: inlineText,
  link: (title, address) => (title === '' ? address : `${title} (${address})`),
};

const shown = (record: JsonObject, setting: FindingAidSetting): JsonObject =>
  setting.flags.includeUnpublished ? record : publishedPart(record);

/** The title as documents show it. */
export const printedTitle = (resource: JsonObject): string =>
  inlineText(textOf(resource, 'finding_aid_title') ?? textOf(resource, 'title') ?? '');

/** The lines of the title page: repository, title, identifier, dates, and how the repository can be reached, and who made the document when. */
export function titlePage(root: JsonObject, setting: FindingAidSetting): readonly Line[] {
  const resource = shown(root, setting);
  const repository = resolvedOf(objectOf(resource, 'repository'));
  const line = (text: string, part: LinePart = 'title_page'): Line => ({ part, depth: 0, text });
  return [
    line(plain(textOf(repository, 'name'))),
    line(`${printedTitle(resource)}${mark(root)}`, 'title'),
    line(inlineText(textOf(resource, 'finding_aid_subtitle') ?? '')),
    line(identifierOf(resource)),
    line(
      objectsOf(resource, 'dates')
        .map((date) => plain(dateText(date)))
        .filter((text) => text !== '')
        .join('; '),
    ),
    line(inlineText(textOf(resource, 'finding_aid_author') ?? '')),
    line(inlineText(textOf(resource, 'finding_aid_date') ?? '')),
    ...contactLines(repository, setting.label).map(({ text }) => line(text, 'contact')),
    line(plain(textOf(repository, 'url')), 'contact'),
    line(`${setting.product}, ${setting.createdAt}`),
  ].filter(({ text }) => text !== '');
}

/** The lines of the resource behind its title page: summary and notes. */
export function resourceLines(root: JsonObject, setting: FindingAidSetting): readonly Line[] {
  const resource = shown(root, setting);
  const section = (text: string): Line => ({ part: 'section', depth: 0, text, bookmark: true });
  const notes = noteLines(resource, setting, 0);
  return [
    section('Summary'),
    ...termLines(resource, setting, 0),
    ...(notes.length === 0 ? [] : [section('Notes'), ...notes]),
  ];
}

/** The line before the components. */
export const inventoryHead: Line = { part: 'section', depth: 0, text: 'Inventory', bookmark: true };

/** The lines of a component at a depth, 1 for those right below the resource. */
export function componentLines(record: JsonObject, depth: number, setting: FindingAidSetting): readonly Line[] {
  const component = shown(record, setting);
  const title = inlineText(textOf(component, 'title') ?? textOf(component, 'display_string') ?? '');
  const head: Line = {
    part: 'component',
    depth,
    text: `${title}${mark(component)}`,
    ...(groupLevels.includes(textOf(component, 'level') ?? '') ? { bookmark: true } : {}),
  };
  return [head, ...termLines(component, setting, depth), ...noteLines(component, setting, depth)];
}

/** Tells readers what the public does not see. */
const mark = (record: JsonObject): string => (audience(record) === undefined ? '' : ' [not published]');

const termLines = (record: JsonObject, setting: FindingAidSetting, depth: number): readonly Line[] =>
  readableTerms(record, setting, wording).map(([term, text]) => ({ part: 'term', depth, term, text }));

const noteLines = (record: JsonObject, setting: FindingAidSetting, depth: number): readonly Line[] =>
  printedNotes(record, setting.label).flatMap(({ head, body }) => [
    { part: 'note', depth, text: head } as const,
    ...body.map(({ text, isItem }): Line => ({ part: isItem ? 'item' : 'paragraph', depth, text })),
  ]);

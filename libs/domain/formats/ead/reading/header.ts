// EAD 2002 `eadheader` to the finding-aid properties of the resource.
import type { Json, JsonObject } from '../../../json.ts';
import { attributeOf, descendantsOf, elementOf, elementsOf, isElement, textContent } from '../../xml/tree.ts';
import type { XmlNode } from '../../xml/tree.ts';
import type { EadContext } from './context.ts';
import { readLanguage } from './did.ts';
import { mixedLine, mixedText } from '../../reading/content.ts';
import { inAudienceOf, isPublic } from '../../xml/audience.ts';
import { dropOthers } from '../../reading/report.ts';

/** What a header gives: the properties, and the title without its trailing `num`, for the case that the `num` is our own. */
export type HeaderFields = {
  readonly fields: Readonly<Record<string, Json>>;
  readonly titleNum?: { readonly num: string; readonly titleWithout: string };
};

type Fields = Record<string, Json>;

/** Reads a header. Parts the contract does not import are reported; `finding_aid_language` and `_script` are always set. */
export function readHeader(context: EadContext, header: XmlNode): HeaderFields {
  const fields: Fields = {};
  let titleNum: HeaderFields['titleNum'];
  const status = attributeOf(header, 'findaidstatus');
  if (status !== undefined) fields['finding_aid_status'] = context.controlled('resource_finding_aid_status', status);
  for (const node of sections(context, header)) {
    if (node.name === 'titleproper') titleNum = readTitle(context, fields, node) ?? titleNum;
    else readSection(context, fields, node);
  }
  return {
    fields: { finding_aid_language: 'und', finding_aid_script: 'Zyyy', ...fields },
    ...(titleNum === undefined ? {} : { titleNum }),
  };
}

/** The elements that carry properties, in order; the wrappers around them are left behind. */
function sections(context: EadContext, node: XmlNode): readonly XmlNode[] {
  return node.children.flatMap((child) => {
    if (!isElement(child)) {
      context.report.dropText(node.line, node.name, child, `text of ${node.name} outside its parts`);
      return [];
    }
    return ['filedesc', 'titlestmt', 'profiledesc'].includes(child.name) ? sections(context, child) : [child];
  });
}

function readSection(context: EadContext, fields: Fields, node: XmlNode): void {
  switch (node.name) {
    case 'eadid':
      return readEadId(fields, node);
    case 'subtitle':
      return addText(fields, 'finding_aid_subtitle', mixedLine(node.children));
    case 'author':
      return addText(fields, 'finding_aid_author', mixedLine(node.children));
    case 'sponsor':
      return addText(fields, 'finding_aid_sponsor', mixedLine(node.children));
    case 'editionstmt':
      return setText(fields, 'finding_aid_edition_statement', mixedText(node.children));
    case 'seriesstmt':
      return setText(fields, 'finding_aid_series_statement', mixedText(node.children));
    case 'publicationstmt':
      return readPublication(context, fields, node);
    case 'notestmt':
      return readNotes(context, fields, node);
    case 'langusage':
      return readLangUsage(context, fields, node);
    case 'descrules':
      return readRules(context, fields, node);
    case 'revisiondesc':
      return readRevisions(context, fields, node);
    default:
      context.report.drop(node, 'not imported from eadheader');
  }
}

function readEadId(fields: Fields, node: XmlNode): void {
  setText(fields, 'ead_id', textContent(node));
  setText(fields, 'ead_location', attributeOf(node, 'url') ?? '');
}

/** The last titleproper wins; a child `num` stays in the text, as the contract says, unless it proves to be the identifier. */
function readTitle(context: EadContext, fields: Fields, node: XmlNode): HeaderFields['titleNum'] {
  const text = mixedLine(node.children);
  const property = attributeOf(node, 'type') === 'filing' ? 'finding_aid_filing_title' : 'finding_aid_title';
  const before = fields[property];
  if (typeof before === 'string' && text !== '' && text !== before)
    context.report.dropText(node.line, node.name, before, 'the last titleproper is imported');
  setText(fields, property, text);
  if (property === 'finding_aid_filing_title') return undefined;
  const num = elementOf(node, 'num');
  if (num === undefined) return undefined;
  return { num: textContent(num), titleWithout: mixedLine(node.children.filter((child) => child !== num)) };
}

/** The date, also where it stands in a paragraph (own exports). Publisher and address are facts of the repository. */
function readPublication(context: EadContext, fields: Fields, node: XmlNode): void {
  const dates = descendantsOf(node, 'date');
  setText(
    fields,
    'finding_aid_date',
    dates
      .map(textContent)
      .filter((text) => text !== '')
      .at(-1) ?? '',
  );
  for (const date of dates)
    if (textContent(date) !== fields['finding_aid_date'])
      context.report.drop(date, 'only the last date of publicationstmt is imported');
  for (const child of elementsOf(node)) {
    if (child.name !== 'date' && !dates.some((date) => textContent(date) === textContent(child))) {
      context.report.drop(child, 'not imported from publicationstmt');
    }
  }
}

function readNotes(context: EadContext, fields: Fields, node: XmlNode): void {
  for (const child of elementsOf(node)) {
    const text = mixedText(child.children);
    if (child.name !== 'note') context.report.drop(child, 'not imported from notestmt');
    else if (text !== '') {
      const before = fields['finding_aid_note'];
      fields['finding_aid_note'] = typeof before === 'string' ? `${before}\n\n${text}` : text;
    }
  }
}

/** The whole text with its markup as the note, of several declarations (EAD3) one after the other; the codes of the first language that is known. */
function readLangUsage(context: EadContext, fields: Fields, node: XmlNode): void {
  // A code without words is no part of the text.
  addText(
    fields,
    'finding_aid_language_note',
    mixedText(
      node.children.filter((child) => !isElement(child) || child.name !== 'language' || textContent(child) !== ''),
    ),
  );
  for (const element of descendantsOf(node, 'language')) {
    const coded = readLanguage(context, element);
    if (coded === undefined) continue;
    if (fields['finding_aid_language'] !== undefined) {
      // Its words are in the note.
      if (textContent(element) === '' && coded['language'] !== fields['finding_aid_language'])
        context.report.dropText(
          element.line,
          element.name,
          String(coded['language']),
          'a finding aid has one language',
        );
      continue;
    }
    const { language, script } = coded;
    if (language !== undefined) fields['finding_aid_language'] = language;
    if (script !== undefined) fields['finding_aid_script'] = script;
  }
}

/** Free text becomes a value of the list; a code in brackets at its end that is one already is taken instead. */
function readRules(context: EadContext, fields: Fields, node: XmlNode): void {
  const text = textContent(node);
  for (const link of elementsOf(node))
    if (textContent(link) === '')
      context.report.dropText(link.line, link.name, attributeOf(link, 'href') ?? '', 'address of descrules');
  if (text === '') return;
  const list = 'resource_finding_aid_description_rules';
  const code = /\((\w+)\)\.?$/.exec(text)?.[1]?.toLowerCase();
  const isCode = code !== undefined && context.options.isEnumerationValue(list, code);
  fields['finding_aid_description_rules'] = isCode ? code : context.controlled(list, text);
}

function readRevisions(context: EadContext, fields: Fields, node: XmlNode): void {
  const statements: JsonObject[] = [];
  for (const child of elementsOf(node).map((part) => inAudienceOf(node, part))) {
    if (child.name === 'change') statements.push(...revision(context, child));
    else if (child.name === 'list') {
      dropOthers(context.report, child, ['item']);
      for (const item of elementsOf(child, 'item'))
        statements.push(...statement(inAudienceOf(child, item), '', mixedText(item.children)));
    } else context.report.drop(child, 'not imported from revisiondesc');
  }
  if (statements.length > 0) fields['revision_statements'] = statements;
}

function revision(context: EadContext, change: XmlNode): readonly JsonObject[] {
  const date = elementsOf(change, 'date')
    .map(textContent)
    .filter((text) => text !== '')
    .join('; ');
  const items = elementsOf(change, 'item')
    .map((item) => mixedText(item.children))
    .filter((text) => text !== '');
  for (const child of elementsOf(change))
    if (child.name !== 'date' && child.name !== 'item') context.report.drop(child, 'not imported from change');
  return statement(change, date, items.join('\n\n'));
}

/** Date and description are both required: "undated" and a dash stand for what the document leaves out. */
function statement(node: XmlNode, date: string, description: string): readonly JsonObject[] {
  if (date === '' && description === '') return [];
  return [
    {
      jsonmodel_type: 'revision_statement',
      date: date || 'undated',
      description: description || '–',
      publish: isPublic(node),
    },
  ];
}

/** Several authors, sponsors, subtitles or notes on languages are one text. */
function addText(fields: Fields, name: string, text: string): void {
  const before = fields[name];
  setText(fields, name, typeof before === 'string' && text !== '' ? `${before}; ${text}` : text);
}

function setText(fields: Fields, property: string, text: string): void {
  if (text !== '') fields[property] = text;
}

// EAD 2002 `did`: title, identifiers, dates, extents, languages, containers, creators and the notes that stand in it.
import type { JsonObject } from '../../../json.ts';
import type { XmlTag } from '../../xml/reader.ts';
import { attributeOf, descendantsOf, elementsOf, isElement, textContent } from '../../xml/tree.ts';
import type { XmlChild, XmlNode } from '../../xml/tree.ts';
import { readOrigination } from './agents.ts';
import { readContainers } from './containers.ts';
import type { EadContext } from './context.ts';
import { readUnitDate } from './dates.ts';
import type { Draft } from './draft.ts';
import { readPhysdesc } from './extents.ts';
import { mixedLine, mixedText, splitLongText, withoutColon } from '../../reading/content.ts';
import { readNote } from './notes.ts';
import { inAudienceOf, isPublic } from '../../xml/audience.ts';
import { labelOf, multipartNote } from '../../reading/note-records.ts';
import { pushOnce } from '../../reading/record-parts.ts';

/** The unitid type under which exports write the record's own URI: an external id, never the identifier. */
const ownUriType = 'aspace_uri';
/** Types of what is never the identifier of a record. */
const otherTypes: ReadonlySet<string> = new Set([ownUriType, 'ark', 'ark-superseded']);

/** Adds everything of a `did` to a record; what the contract does not import is reported. */
export function readDid(context: EadContext, draft: Draft, did: XmlNode): void {
  readContainers(context, draft, elementsOf(did, 'container'));
  const mayIdentify = identifying(draft, elementsOf(did, 'unitid'));
  for (const child of did.children) {
    if (isElement(child)) {
      const extents = draft.extents.length;
      if (child.name === 'unitid') readUnitId(context, draft, child, mayIdentify(child));
      else readDidElement(context, draft, inAudienceOf(did, child));
      tellInternal(context, draft, child, draft.extents.length > extents ? 'an extent' : unmarked.get(child.name));
    } else context.report.dropText(did.line, did.name, child, 'text between the parts of did');
  }
}

/** Parts of a record, by their elements, that have no mark of their own for what is internal; extents have none either. */
const unmarked: ReadonlyMap<string, string> = new Map([
  ['unitdate', 'a date'],
  ['container', 'a container'],
]);

/** Tells of what is internal where only its record could say so: it is as public as that. */
function tellInternal(context: EadContext, draft: Draft, node: XmlNode, what: string | undefined): void {
  if (what === undefined || isPublic(node) || !draft.isPublished) return;
  context.report.dropText(
    node.line,
    node.name,
    textContent(node),
    `the mark that it is internal: ${what} is as public as its record`,
  );
}

/** Which of the identifiers may be that of the record. An internal one is none as long as the record can do without it, or has another. */
function identifying(draft: Draft, ids: readonly XmlNode[]): (node: XmlNode) => boolean {
  const isNeeded = draft.kind === 'resource' && !ids.some((node) => isPublic(node) && isIdentifier(node));
  return (node) => isIdentifier(node) && (isPublic(node) || isNeeded);
}

const isIdentifier = (node: XmlNode): boolean => !otherTypes.has(typeOf(node) ?? '') && textContent(node) !== '';
const typeOf = (node: XmlNode): string | undefined => attributeOf(node, 'type') ?? attributeOf(node, 'localtype');

function readDidElement(context: EadContext, draft: Draft, node: XmlNode): void {
  switch (node.name) {
    case 'container':
      return;
    case 'unittitle':
      return readUnitTitle(context, draft, node);
    case 'unitdate':
      reportLabel(context, node);
      return readUnitDate(context, draft, node);
    case 'physdesc':
      return readPhysdesc(context, draft, node);
    case 'langmaterial':
      return readLangMaterial(context, draft, node);
    case 'origination':
      return readOrigination(context, draft, node);
    case 'dao':
    case 'daogrp':
      draft.daos.push(node);
      return;
    default:
      if (!readNote(context, draft, node)) context.report.drop(node, 'not imported inside did');
  }
}

/** The first title counts, others are general notes. Dates inside it become dates of the record, and the comma that stood before one at the end goes. */
function readUnitTitle(context: EadContext, draft: Draft, node: XmlNode): void {
  const dates = descendantsOf(node, 'unitdate');
  for (const date of dates) {
    reportLabel(context, date);
    readUnitDate(context, draft, date);
  }
  const text = mixedLine(withoutDates(node.children));
  const title =
    dates.length === 0
      ? text
      : text.replace(/(?<!\s)\s+([,;])(?=\s|$)/g, '$1').replace(/^[,;\s]+|(?<![,;\s])[,;\s]+$/g, '');
  if (title === '') return;
  if (draft.fields['title'] === undefined) {
    draft.fields['title'] = title;
    reportLabel(context, node);
  } else draft.notes.push({ label: 'Title', ...labelOf(node), ...multipartNote('odd', title, node) });
}

/** Title, identifier, date and agents are shown under names of their own; what the document calls them has no place. */
function reportLabel(context: EadContext, node: XmlNode): void {
  context.report.dropTextOnce(node.line, node.name, attributeOf(node, 'label') ?? '', `label of ${node.name}`);
}

function withoutDates(children: readonly XmlChild[]): readonly XmlChild[] {
  return children.flatMap((child): readonly XmlChild[] => {
    if (!isElement(child)) return [child];
    // The blank that parts the words around a date may stand in it.
    if (child.name === 'unitdate')
      return /^\s|\s$/.test(child.children.filter((part) => !isElement(part)).join('')) ? [' '] : [];
    const rest = withoutDates(child.children);
    // Markup that held nothing but the date goes with it.
    return rest.length === 0 && child.children.length > 0 ? [] : [{ ...child, children: rest }];
  });
}

/** The first one that may be is the identifier; a typed one is an external id as well, and so is any other one, by its label; types `ark` and `ark-superseded` are ARKs. */
function readUnitId(context: EadContext, draft: Draft, node: XmlNode, mayIdentify: boolean): void {
  const text = textContent(node);
  const type = typeOf(node);
  if (type === 'ark' || type === 'ark-superseded') return readArk(context, draft, node, type);
  for (const link of elementsOf(node))
    if (attributeOf(link, 'href') !== undefined && textContent(link) === '')
      context.report.dropText(link.line, link.name, attributeOf(link, 'href') ?? '', 'address of a unitid');
  if (text === '') return;
  const property = draft.kind === 'resource' ? 'id_0' : 'component_id';
  const identifies = mayIdentify && draft.fields[property] === undefined;
  if (identifies) draft.fields[property] = text;
  const given = attributeOf(node, 'type');
  const label = attributeOf(node, 'label');
  const source = given ?? (identifies ? undefined : label === undefined ? 'unitid' : withoutColon(label));
  if (source !== undefined) draft.externalIds.push({ jsonmodel_type: 'external_id', source, external_id: text });
  if (given !== undefined || identifies) reportLabel(context, node);
}

/** The address of the reference in it, else its text. */
function readArk(context: EadContext, draft: Draft, node: XmlNode, type: 'ark' | 'ark-superseded'): void {
  const link = elementsOf(node)
    .map((child) => attributeOf(child, 'href'))
    .find((href) => href !== undefined);
  const ark = link ?? textContent(node);
  if (ark === '') return;
  if (type === 'ark-superseded') draft.previousArks.push(ark);
  else if (draft.fields['import_current_ark'] === undefined) draft.fields['import_current_ark'] = ark;
  else context.report.drop(node, 'only the first current ARK is imported', true);
}

/** Languages of EAD 1.0, which stand in an attribute of the description or component: codes or names where all of it is known, else a note. */
export function readLanguageAttribute(context: EadContext, draft: Draft, tag: XmlTag): void {
  const text = attributeOf(tag, 'langmaterial');
  if (text === undefined) return;
  const languages = text.split(/[\s,;]+/).map((word) => context.fixed('language_iso639_2', word));
  if (languages.includes(undefined))
    draft.langMaterials.push({
      jsonmodel_type: 'lang_material',
      notes: [{ jsonmodel_type: 'note_langmaterial', type: 'langmaterial', content: [text], publish: isPublic(tag) }],
    });
  else
    for (const language of languages)
      pushOnce(
        draft.langMaterials,
        {
          jsonmodel_type: 'lang_material',
          language_and_script: { jsonmodel_type: 'language_and_script', language: language ?? 'und' },
        },
        draft.seen,
      );
}

/** One entry per coded language, and the whole text (with its markup, so that an export keeps the codes) as a note. */
function readLangMaterial(context: EadContext, draft: Draft, node: XmlNode): void {
  for (const language of descendantsOf(node, 'language')) {
    const coded = readLanguage(context, language);
    if (coded !== undefined)
      pushOnce(draft.langMaterials, { jsonmodel_type: 'lang_material', language_and_script: coded }, draft.seen);
  }
  if (textContent(node) === '') return reportLabel(context, node);
  const id = attributeOf(node, 'id');
  const note = {
    jsonmodel_type: 'note_langmaterial',
    type: 'langmaterial',
    ...labelOf(node),
    // A code without words is no part of the text.
    content: splitLongText(
      mixedText(
        node.children.filter((child) => !isElement(child) || child.name !== 'language' || textContent(child) !== ''),
      ),
    ),
    publish: isPublic(node),
    ...(id === undefined ? {} : { persistent_id: id }),
  };
  draft.langMaterials.push({ jsonmodel_type: 'lang_material', notes: [note] });
}

/** The codes of a `language` element; undefined where the language code is missing or unknown (the latter is reported). */
export function readLanguage(context: EadContext, node: XmlNode): JsonObject | undefined {
  const code = attributeOf(node, 'langcode');
  if (code === undefined) return undefined;
  const language = context.fixed('language_iso639_2', code);
  if (language === undefined) {
    context.report.dropText(node.line, node.name, code, 'langcode is not in the list language_iso639_2');
    return undefined;
  }
  const script = attributeOf(node, 'scriptcode');
  return {
    jsonmodel_type: 'language_and_script',
    language,
    ...(script === undefined ? {} : { script: context.controlled('script_iso15924', script) }),
  };
}

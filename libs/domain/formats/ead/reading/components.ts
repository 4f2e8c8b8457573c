// The end of a component and of the resource: what their drafts hold becomes the records.
import type { Json, JsonObject } from '../../../json.ts';
import type { XmlTag } from '../../xml/reader.ts';
import type { EadContext } from './context.ts';
import { importFailure } from '../../reading/context.ts';
import { readDigitalObjects } from './digital-objects.ts';
import { createDraft, draftBody } from './draft.ts';
import type { Draft } from './draft.ts';
import { extentFromPlainText } from './extents.ts';
import type { HeaderFields } from './header.ts';
import { attributeOf } from '../../xml/tree.ts';
import { extentStandIn } from '../../reading/record-parts.ts';

/**
 * Whether an element is a component: `c`, or `c01` and so on. The schema ends at `c12`; peers number deeper levels all the same
 * (behaviour-exports.md section 2), and what is in those is no less a component.
 */
export function isComponent(name: string): boolean {
  return name === 'c' || /^c(?:0[1-9]|[1-9]\d)$/.test(name);
}

/** Starts a component under a record and gives it the next position there; `isPublished` false wins over its own audience. */
export function openComponent(
  context: EadContext,
  parent: Draft,
  resourceUri: string,
  tag: XmlTag,
  isPublished: boolean,
): Draft {
  const draft = createDraft(context, 'archival_object', tag, isPublished);
  const id = attributeOf(tag, 'id');
  // The pattern is that of ref_id (schemas.json); the id is kept verbatim, prefix included (contract).
  if (id !== undefined && /^[a-zA-Z0-9\-_:.]*$/.test(id)) draft.fields['ref_id'] = id;
  else if (id !== undefined)
    context.report.dropText(tag.line, tag.name, id, 'id holds characters a ref_id may not have');
  draft.fields['resource'] = { ref: resourceUri };
  if (parent.kind === 'archival_object') draft.fields['parent'] = { ref: parent.uri };
  draft.fields['position'] = parent.childCount;
  parent.childCount += 1;
  return draft;
}

/** What templates leave behind where there is no component (contract: empty elements without attributes are ignored). */
const saysNothing = ({ tag, size, childCount }: Draft): boolean =>
  tag.attributes.length === 0 && size === 0 && childCount === 0;

/** Emits a component below its `parent` with its digital objects. One that says nothing is passed over and reported. One without title and date ends the reading with `import_failed`, or is `[untitled]` and reported (`standIns`). */
export function closeComponent(context: EadContext, draft: Draft, parent: Draft): void {
  if (saysNothing(draft)) {
    parent.childCount -= 1;
    context.report.dropText(
      draft.tag.line,
      draft.tag.name,
      'empty',
      'an empty component without attributes; it is ignored',
    );
    return;
  }
  if (draft.fields['title'] === undefined && draft.dates.length === 0) {
    const { line, column, name } = draft.tag;
    if (context.options.standIns !== true) {
      throw importFailure(
        'The component has neither a title nor a date.',
        { line, column, element: name },
        {
          kind: 'archival_object',
          record: draft.fields['component_id'] ?? draft.fields['ref_id'] ?? '',
          messages: missingTitle,
        },
      );
    }
    context.report.dropText(line, name, 'no title', `neither a title nor a date; "${untitled}" stands in for them`);
    draft.fields['title'] = untitled;
  }
  readDigitalObjects(context, draft);
  context.emit({ ...draftBody(draft), jsonmodel_type: 'archival_object', uri: draft.uri });
}

/**
 * Emits the resource. What a resource must have and the document does not give ends the reading with `import_failed`. With
 * `hasExtentStandIn` an extent that nobody counted is `1 collection` (peers cannot read EAD3, so no rule of theirs holds), and with
 * `standIns` a missing identifier or title comes from the header, an identifier that is nowhere is made, and a missing date is `undated`. All of it is reported.
 */
export function closeResource(context: EadContext, draft: Draft, header: HeaderFields, hasExtentStandIn = false): void {
  if (!draft.langMaterials.some((language) => language['language_and_script'] !== undefined)) {
    draft.langMaterials.unshift({
      jsonmodel_type: 'lang_material',
      language_and_script: { jsonmodel_type: 'language_and_script', language: 'und' },
    });
  }
  if (draft.extents.length === 0) {
    for (const text of draft.plainPhysdescs) {
      const extent = extentFromPlainText(context, text);
      if (extent !== undefined) draft.extents.push(extent);
    }
  }
  if (context.options.standIns === true) fillIn(context, draft, header);
  if (draft.extents.length === 0 && (hasExtentStandIn || context.options.standIns === true)) {
    context.report.dropText(
      draft.tag.line,
      draft.tag.name,
      'no extent',
      'no extent starts with a number; "1 collection" stands in for it',
    );
    draft.extents.push(extentStandIn(context));
  }
  const messages = missingParts(draft);
  if (Object.keys(messages).length > 0) {
    const { line, column } = draft.tag;
    const record = draft.fields['title'] ?? header.fields['ead_id'] ?? '';
    const names = Object.keys(messages).join(', ');
    throw importFailure(
      `The description lacks what a resource needs: ${names}.`,
      { line, column, element: 'archdesc' },
      { kind: 'resource', record, messages },
    );
  }
  readDigitalObjects(context, draft);
  context.emit({ ...headerBody(header, draft), ...draftBody(draft), jsonmodel_type: 'resource', uri: draft.uri });
}

/** What cataloguers write where a component has no title. */
const untitled = '[untitled]';

const missingTitle: JsonObject = {
  dates: ['one or more required (or enter a Title)'],
  title: ['must not be an empty string (or enter a Date)'],
};

/** Identifier and title of the header, an identifier of no meaning where there is none (as for MARC), and a date that says nothing. */
function fillIn(context: EadContext, draft: Draft, header: HeaderFields): void {
  const fill = (reason: string): void => context.report.dropText(draft.tag.line, draft.tag.name, 'stand-in', reason);
  const { ead_id: identifier, finding_aid_title: title, finding_aid_filing_title: filing } = header.fields;
  if (draft.fields['id_0'] === undefined && identifier !== undefined) {
    draft.fields['id_0'] = identifier;
    fill('no unitid; the eadid stands in for it');
  } else if (draft.fields['id_0'] === undefined) {
    const made = `imported-${context.options.importId}-${context.sequence()}`;
    draft.fields['id_0'] = made;
    fill(`neither unitid nor eadid; the identifier ${made} stands in for them`);
  }
  if (draft.fields['title'] === undefined && (title ?? filing) !== undefined) {
    draft.fields['title'] = header.titleNum?.titleWithout ?? title ?? filing;
    fill('no unittitle; the title of the finding aid stands in for it');
  }
  if (draft.dates.length > 0) return;
  draft.dates.push({ jsonmodel_type: 'date', date_type: 'inclusive', label: 'creation', expression: 'undated' });
  fill('no unitdate; "undated" stands in for it');
}

/** The texts of the contract's validation for what is missing, by property. */
function missingParts(draft: Draft): JsonObject {
  const missing = ['Property is required but was missing'];
  const none = ['At least 1 item(s) is required'];
  return {
    ...(draft.fields['title'] === undefined ? { title: missing } : {}),
    ...(draft.fields['id_0'] === undefined ? { id_0: missing } : {}),
    ...(draft.dates.length === 0 ? { dates: none } : {}),
    ...(draft.extents.length === 0 ? { extents: none } : {}),
  };
}

/** Own exports append the identifier as `num` to the finding aid's title; only that one is taken off again. */
function headerBody(header: HeaderFields, draft: Draft): Readonly<Record<string, Json>> {
  const { fields, titleNum } = header;
  if (titleNum === undefined || titleNum.num !== draft.fields['id_0']) return fields;
  const { finding_aid_title: _withNum, ...rest } = fields;
  return titleNum.titleWithout === '' ? rest : { ...rest, finding_aid_title: titleNum.titleWithout };
}

// A resource or component while it is being read: what its did, notes and headings have given so far.
// One draft per open element of the document exists at a time, so memory follows depth, not size.
import type { Json, JsonObject } from '../../../json.ts';
import { attributeOf } from '../../xml/tree.ts';
import type { XmlNode } from '../../xml/tree.ts';
import type { XmlTag } from '../../xml/reader.ts';
import type { EadContext } from './context.ts';
import { isPublic } from '../../xml/audience.ts';

/** A record under construction. `fields` are its plain properties, the arrays its sub-records in document order. */
export type Draft = {
  readonly kind: 'resource' | 'archival_object';
  readonly uri: string;
  readonly tag: XmlTag;
  readonly isPublished: boolean;
  readonly fields: Record<string, Json | undefined>;
  readonly dates: JsonObject[];
  readonly extents: JsonObject[];
  readonly langMaterials: JsonObject[];
  readonly notes: JsonObject[];
  readonly instances: JsonObject[];
  readonly agents: JsonObject[];
  readonly subjects: JsonObject[];
  readonly externalIds: JsonObject[];
  readonly previousArks: string[];
  /** dao and daogrp elements: mapped at the end, since their titles may need the record's title. */
  readonly daos: XmlNode[];
  /** Texts of `physdesc` without markup, and of extents that start with no number: a resource without extents falls back on them. */
  readonly plainPhysdescs: string[];
  /** Texts of what `pushOnce` put into the lists; what they hold differs from list to list. */
  readonly seen: Set<string>;
  /** Components read so far directly under this record: the position of the next one. */
  childCount: number;
  /** Characters of the parts read into it so far. */
  size: number;
};

/** Starts a draft from the start tag of `archdesc` or a component; `isPublished` false wins over its own audience. */
export function createDraft(context: EadContext, kind: Draft['kind'], tag: XmlTag, isPublished = true): Draft {
  const draft: Draft = {
    kind,
    uri: context.nextUri(kind),
    tag,
    isPublished: isPublished && isPublic(tag),
    fields: {},
    dates: [],
    extents: [],
    langMaterials: [],
    notes: [],
    instances: [],
    agents: [],
    subjects: [],
    externalIds: [],
    previousArks: [],
    daos: [],
    plainPhysdescs: [],
    seen: new Set(),
    childCount: 0,
    size: 0,
  };
  readLevel(context, draft);
  return draft;
}

/** The record's properties as they go out: only lists that hold something, and no undefined values. */
export function draftBody(draft: Draft): Record<string, Json> {
  const lists: Readonly<Record<string, readonly Json[]>> = {
    dates: draft.dates,
    extents: draft.extents,
    lang_materials: draft.langMaterials,
    notes: draft.notes,
    instances: draft.instances,
    linked_agents: draft.agents,
    subjects: draft.subjects,
    external_ids: draft.externalIds,
    import_previous_arks: draft.previousArks,
  };
  const body: Record<string, Json> = {};
  for (const [name, value] of Object.entries(draft.fields)) if (value !== undefined) body[name] = value;
  for (const [name, list] of Object.entries(lists)) if (list.length > 0) body[name] = list;
  return { ...body, publish: draft.isPublished };
}

/** `level` is a closed list: what is not in it becomes the text of `otherlevel`, which needs one ("unspecified" as peers write). */
function readLevel(context: EadContext, draft: Draft): void {
  const given = attributeOf(draft.tag, 'level');
  const level = given === undefined ? 'otherlevel' : context.fixed('archival_record_level', given);
  const other = attributeOf(draft.tag, 'otherlevel');
  draft.fields['level'] = level ?? 'otherlevel';
  if (level === undefined) draft.fields['other_level'] = other ?? given;
  else if (level === 'otherlevel') draft.fields['other_level'] = other ?? 'unspecified';
  else if (other !== undefined) draft.fields['other_level'] = other;
}

// What a record kind, or a sub-record, declares about search (`search` of a declaration): whether its records are found, by which fields, who
// finds them, and whom a change of one concerns. Nothing else in the service names a kind for the sake of search.
import type { Json, JsonObject } from '../json.ts';

/** How a field's values are compared: as words, whole and exact, as truth values, numbers, moments, or by a sort key. */
export type FieldType = 'text' | 'string' | 'boolean' | 'int' | 'date' | 'sort';

/** Field name to its value or values, as the document answers them; absent where there is nothing. */
export type DocumentFields = { readonly [field: string]: Json | undefined };

/**
 * What the record alone does not say. `isRepositoryPublished`: false hides it from the public. `publicRecord`: the record
 * with what it inherits merged in, for the public document of an archival object. `hasUser`: the agent belongs to a user.
 * `ancestorTexts`: titles of ancestors and the identifier of the root, found by without weight. `holdsHidden`: something suppressed links to it, which it does not show (`looksForHidden`).
 * `files`: uris of what a job has made. `repositoryName`: the display string of its repository.
 */
export type DocumentContext = {
  readonly isRepositoryPublished?: boolean;
  readonly publicRecord?: JsonObject;
  readonly hasUser?: boolean;
  readonly ancestorTexts?: readonly string[];
  readonly holdsHidden?: boolean;
  readonly files?: readonly string[];
  readonly repositoryName?: string;
};

/** What an index is to know of a field. Kinds that have a field of one name declare the same of it. */
export type FieldSettings = {
  /** Left out where the field is one that all documents share (search/fields.ts), or the end of its name says it: `_u_sstr`, `_enum_s`. */
  readonly type?: FieldType;
  readonly isMulti?: true;
  /** False: facets do not count it, for it has nearly as many values as there are records. */
  readonly isCounted?: false;
  /** False: its values name one record each; they are found whole or by their beginning, and the word list leaves them out. */
  readonly isListed?: false;
  /** True: values are found whole and by their beginning alone, as addresses are. */
  readonly isFoundFromStart?: true;
  /** The field that sorting by this one uses, or its own name where it is text or has several values and is sorted by all the same. */
  readonly sortsBy?: string;
  /**
   * A text field: its number in the prefix of its words (`f2=`), which is part of what is stored, so that it is never given to another field,
   * and their weight: B as titles, C as other short fields.
   */
  readonly words?: { readonly number: number; readonly weight: 'B' | 'C' };
};

/** A field of documents: where its value comes from, undefined where there is none. `record` is what GET answers, links resolved. */
export type SearchField = FieldSettings & {
  readonly read: (record: JsonObject, context: DocumentContext) => Json | undefined;
};

/** Fields by name, in the order in which documents have them. */
export type SearchFields = { readonly [name: string]: SearchField };

/**
 * What a kind declares about search. All of it may be left out: records are then found by their label as title, by all their texts and the
 * fields that documents of all kinds share (documents/shared-fields.ts), by the public where `publish` is set. `search: false` in place of
 * this: records of the kind are not found.
 */
export type KindSearch = {
  /** What documents have beside the shared fields. `title`: where the record's title is not it; `identifier`: what `identifier:` finds. */
  readonly fields?: SearchFields;
  /** What stands in the field `notes` is for those who work on the record, whatever is published of it. */
  readonly notesAreInternal?: true;
  /** Titles are names of people and bodies: in scripts without blanks they are found in one word too. */
  readonly titleIsName?: true;
  /** How much more than others records of the kind weigh in the order of results; 1 where nothing is said. */
  readonly factor?: number;
  /** Types by which searches find the kind, beside its name. */
  readonly types?: (record: JsonObject, context: DocumentContext) => readonly string[];
  /** Types that documents for the public have besides; `pui_<kind>` and `pui` where nothing is said. */
  readonly publicTypes?: readonly string[];
  /** Whether the public finds a record of a published repository that is not suppressed; where its `publish` is true, where nothing is said. */
  readonly isPublic?: (record: JsonObject) => boolean;
  /** The public has a copy with an address of its own (documents/public-copy.ts), whose types are `publicTypes`. One kind may say so. */
  readonly hasPublicCopy?: true;
  /** Titles of the kind are suggested before others while somebody types: each stands for many components, or is a name. */
  readonly suggestedFirst?: true;
  /** Properties of its records that documents of others show, beside those that stand in documents/dependents.ts for all kinds. */
  readonly shownByOthers?: readonly string[];
  /** Properties whose refs show on the far side too, as those do that both sides write: a change of the record concerns what they name. */
  readonly shownOnFarSide?: readonly string[];
  /**
   * Its documents tell of the records that link to it, so that a change of those concerns it: `links` where it is used and whether that is
   * public, `trees` also the trees that those stand in. Those of records of no repository name the repositories that use them.
   */
  readonly showsUse?: 'links' | 'trees';
  /** Its documents tell of the trees that records stand in which it links to, so that a change of a root concerns it. */
  readonly showsTreesOfLinked?: true;
  /** A node of a tree of which those show something that have the root: a change of it concerns them. */
  readonly shownWithRoot?: true;
  /** All records of the repository that it is show something of it. */
  readonly shownInItsRepository?: true;
  /** Whether suppressed records link to it is asked of the store, for `holdsHidden` of the context. */
  readonly looksForHidden?: true;
  /** What documents that show a record of the kind take for computed properties of it, from its body alone: its own reply would cost more. */
  readonly shownAs?: (body: JsonObject) => JsonObject;
};

/** What a sub-record declares: fields that the documents of records get which have it as a property. Read from the sub-record. */
export type PartSearch = {
  readonly fields: SearchFields;
  /** It has an address, and a document of its own with these fields and the others, for staff, behind its record's. */
  readonly ownDocument?: { readonly fields: SearchFields };
};

// What makes records that have parts which are not for everybody: texts of their own, and the parts that hold them.
import type { TestApi } from '../api.ts';
import { text } from './notes.ts';

/** Why a text may not go out: it is not published, it is suppressed, or it is for those who work on the record. */
export type Reason = 'unpublished' | 'suppressed' | 'internal';

/** A text that stands in one place alone. */
export type Marked = { readonly text: string; readonly place: string; readonly reason: Reason };

/** A text in published parts, as a proof that parts go out at all. */
export const shown = 'plainly visible';

/** Gives each place a text of its own and keeps what it gave. */
export type Marks = {
  readonly given: readonly Marked[];
  readonly hid: (place: string) => string;
  readonly suppressed: (place: string) => string;
  readonly internal: (place: string) => string;
};

/** Marks of which none is given yet. */
export function newMarks(): Marks {
  const given: Marked[] = [];
  const mark =
    (reason: Reason) =>
    (place: string): string => {
      const text = `leak${String(given.length).padStart(3, '0')}q`;
      given.push({ text, place, reason });
      return text;
    };
  return { given, hid: mark('unpublished'), suppressed: mark('suppressed'), internal: mark('internal') };
}

/** Sends records to the API; what it refuses is an error. */
export type Sending = {
  readonly send: (path: string, body: object) => Promise<string>;
  readonly suppress: (uri: string) => Promise<void>;
};

/** Sends to this API. */
export function sendingTo(api: TestApi): Sending {
  return {
    send: async (path, body) => {
      const reply = await api.post(path, body);
      if (reply.status !== 200) throw new Error(`${path}: ${reply.text}`);
      return String(reply.json.uri);
    },
    suppress: async (uri) => {
      const reply = await api.post(`${uri}/suppressed?suppressed=true`);
      if (reply.status !== 200) throw new Error(`${uri}: ${reply.text}`);
    },
  };
}

/** Parts of records, hidden as a whole and in each of their own parts; `owner` names the place. */
export function hiddenParts({ hid, internal }: Marks) {
  /** A note of each shape, hidden as a whole and in each of its parts. */
  const notesOf = (owner: string) => [
    {
      jsonmodel_type: 'note_multipart',
      type: 'scopecontent',
      publish: true,
      label: shown,
      subnotes: [
        text(shown, true),
        text(hid(`text of a note of ${owner}`), false),
        {
          jsonmodel_type: 'note_chronology',
          publish: false,
          title: hid(`chronology of ${owner}`),
          items: [{ event_date: '1900', events: [hid(`event of ${owner}`)] }],
        },
        {
          jsonmodel_type: 'note_orderedlist',
          publish: false,
          title: hid(`list of ${owner}`),
          items: [hid(`item of ${owner}`)],
        },
        {
          jsonmodel_type: 'note_definedlist',
          publish: false,
          items: [{ label: hid(`term of ${owner}`), value: hid(`definition of ${owner}`) }],
        },
      ],
    },
    {
      jsonmodel_type: 'note_multipart',
      type: 'accessrestrict',
      publish: false,
      label: hid(`label of a note of ${owner}`),
      subnotes: [text(hid(`published text of a hidden note of ${owner}`), true)],
    },
    {
      jsonmodel_type: 'note_multipart',
      type: 'odd',
      publish: true,
      subnotes: [text(hid(`only text of a note of ${owner}`), false)],
    },
    { jsonmodel_type: 'note_singlepart', type: 'abstract', publish: false, content: [hid(`abstract of ${owner}`)] },
    {
      jsonmodel_type: 'note_singlepart',
      type: 'physdesc',
      publish: false,
      content: [hid(`physical description of ${owner}`)],
    },
    {
      jsonmodel_type: 'note_bibliography',
      publish: false,
      label: hid(`bibliography of ${owner}`),
      content: [hid(`text of a bibliography of ${owner}`)],
      items: [hid(`book of ${owner}`)],
    },
    {
      jsonmodel_type: 'note_index',
      publish: false,
      content: [hid(`index of ${owner}`)],
      items: [{ jsonmodel_type: 'note_index_item', value: hid(`entry of ${owner}`), type: 'subject' }],
    },
  ];
  const langMaterials = (owner: string) => [
    { language_and_script: { language: 'eng', script: 'Latn' } },
    {
      notes: [
        {
          jsonmodel_type: 'note_langmaterial',
          type: 'langmaterial',
          publish: false,
          content: [hid(`language of ${owner}`)],
        },
      ],
    },
  ];
  const documents = (owner: string) => [
    {
      title: hid(`external document of ${owner}`),
      location: `http://example.org/${hid(`address of a document of ${owner}`)}`,
      publish: false,
    },
  ];
  const rights = (owner: string) => [
    {
      rights_type: 'license',
      license_terms: 'terms',
      start_date: '2000-01-01',
      external_documents: [
        {
          title: hid(`document of rights of ${owner}`),
          identifier_type: 'local',
          location: hid(`address of rights of ${owner}`),
          publish: false,
        },
      ],
      notes: [
        {
          jsonmodel_type: 'note_rights_statement',
          type: 'additional_information',
          publish: false,
          content: [hid(`note on rights of ${owner}`)],
        },
      ],
      acts: [
        {
          act_type: 'delete',
          restriction: 'allow',
          start_date: '2000-01-01',
          notes: [
            {
              jsonmodel_type: 'note_rights_statement_act',
              type: 'permissions',
              publish: false,
              content: [hid(`note on an act of ${owner}`)],
            },
          ],
        },
      ],
    },
  ];
  const userDefined = (owner: string) => ({
    user_defined: {
      text_1: internal(`user-defined text of ${owner}`),
      string_1: internal(`user-defined string of ${owner}`),
    },
  });
  const management = (owner: string) => ({
    collection_management: {
      processing_plan: internal(`processing plan of ${owner}`),
      processors: internal(`processors of ${owner}`),
    },
  });
  const file = (place: string) => ({
    file_uri: `http://example.org/${hid(`${place}: address`)}`,
    caption: hid(`${place}: caption`),
    publish: false,
    use_statement: 'image-master',
  });
  return { notesOf, langMaterials, documents, rights, userDefined, management, file };
}

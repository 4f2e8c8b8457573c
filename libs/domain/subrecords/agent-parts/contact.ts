// How to reach an agent: address, telephones, notes.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';
import { telephoneUri } from '../../rules/part-uris.ts';
import { partsOf } from '../../schema/build.ts';
import { NoteChronology } from '../notes/chronology.ts';
import { NoteContactNote } from '../notes/contact-note.ts';

/** Contract schemas.json, `agent_contact`. */
export const AgentContact: Schema = {
  name: 'agent_contact',
  properties: {
    name: { type: 'string', maxLength: 65000, required: 'error' },
    salutation: { type: 'string', enumeration: 'agent_contact_salutation' },
    address_1: { type: 'string', maxLength: 65000 },
    address_2: { type: 'string', maxLength: 65000 },
    address_3: { type: 'string', maxLength: 65000 },
    city: { type: 'string', maxLength: 65000 },
    region: { type: 'string', maxLength: 65000 },
    country: { type: 'string', maxLength: 65000 },
    post_code: { type: 'string', maxLength: 65000 },
    telephones: partsOf(() => [Telephone]),
    fax: { type: 'string', maxLength: 65000 },
    email: { type: 'string', maxLength: 65000 },
    email_signature: { type: 'string', maxLength: 65000 },
    notes: partsOf(() => [NoteContactNote, NoteChronology]),
    is_representative: { type: 'boolean', default: false },
  },
  audited: true,
  onlyOne: { flags: ['is_representative'] },
};

/** Contract schemas.json, `telephone`. */
export const Telephone: Schema = {
  name: 'telephone',
  properties: {
    uri: { type: 'string', readonly: true },
    number: { type: 'string', maxLength: 65000, required: 'error' },
    ext: { type: 'string', maxLength: 65000 },
    number_type: { type: 'string', enumeration: 'telephone_number_type' },
  },
  audited: true,
  lockVersioned: false,
  shows: [
    {
      property: 'uri',
      within: AgentContact.name,
      of: ({ kind, id, around, place }) => telephoneUri(kind, id, around, place),
    },
  ],
};

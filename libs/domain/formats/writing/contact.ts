// How a repository can be reached, as finding aids print it: the first contact of its agent (contract, exports 2).
import type { JsonObject } from '../../json.ts';
import { objectOf, objectsOf, textOf } from '../../json.ts';
import { resolvedOf } from './context.ts';
import { plain } from './finding-aid.ts';
import type { LabelOf } from './finding-aid.ts';

/** A line of an address; `type` says what it is where it is no part of the postal address. */
export type ContactLine = { readonly text: string; readonly type?: 'telephone' | 'email' };

/** The lines of a repository's address; none where its agent has no contact that the viewer may see. */
export function contactLines(repository: JsonObject | undefined, label: LabelOf): readonly ContactLine[] {
  const contact = objectsOf(resolvedOf(objectOf(repository, 'agent_representation')), 'agent_contacts')[0];
  if (contact === undefined) return [];
  const part = (property: string): string => plain(textOf(contact, property));
  const place = [[part('city'), part('region')].filter((text) => text !== '').join(', '), part('post_code')]
    .filter((text) => text !== '')
    .join(' ');
  const telephones = objectsOf(contact, 'telephones').map((telephone): ContactLine => {
    const type = textOf(telephone, 'number_type');
    const extension = textOf(telephone, 'ext');
    const words = type === undefined ? 'Telephone' : label('telephone_number_type', type);
    return {
      text: `${words}: ${plain(textOf(telephone, 'number'))}${extension === undefined ? '' : ` (Extension: ${plain(extension)})`}`,
      type: 'telephone',
    };
  });
  const email = part('email');
  const postal = [part('address_1'), part('address_2'), part('address_3'), place]
    .filter((text) => text !== '')
    .map((text): ContactLine => ({ text }));
  return [...postal, ...telephones, ...(email === '' ? [] : [{ text: email, type: 'email' } as const])];
}

/** Whether a document of a repository's tells how it can be reached: one whose agent is made with it has a contact of nothing but its name. */
export const showsContact = (repository: JsonObject | undefined): boolean =>
  contactLines(repository, (_, value) => value).length > 0;

// Links of EAC-CPF 2.0, which has attributes of its own in place of XLink's.
import type { JsonObject } from '../../../../json.ts';
import { textOf } from '../../../../json.ts';
import { addressOf } from '../../../xml/any-uri.ts';
import type { Attributes } from '../../../xml/writer.ts';
import { standardTime } from '../values.ts';

/** href, linkRole and linkTitle of a part that has `file_uri`, none where it has no address; and when it was last tried. */
export function linkOf2(part: JsonObject): Attributes {
  const href = addressOf(textOf(part, 'file_uri'));
  const lastDateTimeVerified = standardTime(textOf(part, 'last_verified_date'));
  return href === undefined
    ? { lastDateTimeVerified }
    : {
        lastDateTimeVerified,
        href,
        linkRole: addressOf(textOf(part, 'xlink_role_attribute')),
        linkTitle: textOf(part, 'xlink_title_attribute'),
      };
}

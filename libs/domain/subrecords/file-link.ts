// A link to a file elsewhere, as parts of agents and declarations of rights have it.
// Properties follow the contract (schemas.json) in its order.
import type { Properties } from '../schema/property.ts';

/** The address, how the link behaves and what it says of its end (XLink), and when it was last tried. */
export const fileLink = {
  file_uri: { type: 'string', maxLength: 65000 },
  file_version_xlink_actuate_attribute: { type: 'string', enumeration: 'file_version_xlink_actuate_attribute' },
  file_version_xlink_show_attribute: { type: 'string', enumeration: 'file_version_xlink_show_attribute' },
  xlink_title_attribute: { type: 'string', maxLength: 65000 },
  xlink_role_attribute: { type: 'string', maxLength: 65000 },
  xlink_arcrole_attribute: { type: 'string', maxLength: 65000 },
  last_verified_date: { type: 'date-time' },
} as const satisfies Properties;

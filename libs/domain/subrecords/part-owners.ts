// The kinds whose records have sub-records with an address or identifier of their own. The place of a kind in its list is part of these
// (rules/part-uris.ts): lists are only added to, at their end, up to four kinds.

/** The kinds that may have collection management. */
export const managementOwners: readonly string[] = ['accession', 'resource', 'digital_object'];

/** The kinds that have contacts with telephones. */
export const telephoneOwners: readonly string[] = [
  'agent_person',
  'agent_family',
  'agent_corporate_entity',
  'agent_software',
];

/** The kinds whose file versions have an identifier. */
export const fileVersionOwners: readonly string[] = ['digital_object', 'digital_object_component'];

// What a record is asked for with.

/** Properties whose links come with the records that they name. */
export const resolved: readonly string[] = [
  'ancestors',
  'resource',
  'digital_object',
  'subjects',
  'linked_agents',
  'top_container',
  'container_profile',
  'container_locations',
  'repository',
  'related_accessions',
  'related_resources',
  'related_agents',
  'linked_records',
  'collection',
  'classifications',
];

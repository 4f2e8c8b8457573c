// The refs that documents show, by the names that `resolve` takes; what an export reads with its records.

/** Descriptions of one record. `agent_representation` is the repository's. */
export const describedRefs: readonly string[] = [
  'linked_agents',
  'subjects',
  'resource',
  'parent',
  'agent_representation',
];

/** Descriptions of one agent. */
export const agentRefs: readonly string[] = ['related_agents', 'subjects', 'places'];

/** Finding aids: what their components name, and the boxes with profile and place. */
export const findingAidRefs: readonly string[] = [
  'linked_agents',
  'subjects',
  'digital_object',
  'top_container',
  'top_container::container_profile',
  'top_container::container_locations',
  'repository',
  'repository::agent_representation',
];

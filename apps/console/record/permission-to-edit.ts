// The permission that saving a record needs, by its kind.

/** The permission by kind, as the kinds declare it; a test compares. */
export const permissionToEdit: { readonly [kind: string]: string } = {
  accession: 'update_accession_record',
  agent_corporate_entity: 'update_agent_record',
  agent_family: 'update_agent_record',
  agent_person: 'update_agent_record',
  agent_software: 'update_agent_record',
  archival_object: 'update_resource_record',
  assessment: 'update_assessment_record',
  classification: 'update_classification_record',
  classification_term: 'update_classification_record',
  container_profile: 'update_container_profile_record',
  digital_object: 'update_digital_object_record',
  digital_object_component: 'update_digital_object_record',
  event: 'update_event_record',
  location: 'update_location_record',
  location_profile: 'update_location_profile_record',
  repository: 'create_repository',
  resource: 'update_resource_record',
  subject: 'update_subject_record',
  top_container: 'update_container_record',
};

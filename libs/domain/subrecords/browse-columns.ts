// What lists of each kind can show in their columns and be sorted by, as preferences name it (contract schemas.json, `defaults`).
// Both releases' columns are accepted in both.

/** Lists by the beginning of their settings' names. */
export const browseColumns: {
  readonly [list: string]: { readonly shows: readonly string[]; readonly sorts: readonly string[] };
} = {
  accession: {
    shows:
      'title identifier accession_date acquisition_type resource_type restrictions_apply publish access_restrictions use_restrictions dates extents processing_priority processors create_time user_mtime audit_info uri representative_file_version no_value'.split(
        ' ',
      ),
    sorts:
      'score title identifier accession_date acquisition_type resource_type restrictions_apply publish access_restrictions use_restrictions processing_priority processors create_time user_mtime uri'.split(
        ' ',
      ),
  },
  resource: {
    shows:
      'title identifier level resource_type publish restrictions dates extents ead_id finding_aid_status langcode processing_priority processors create_time user_mtime audit_info uri representative_file_version no_value'.split(
        ' ',
      ),
    sorts:
      'score title identifier level resource_type publish restrictions ead_id finding_aid_status processing_priority processors create_time user_mtime uri'.split(
        ' ',
      ),
  },
  digital_object: {
    shows:
      'title digital_object_id publish level digital_object_type restrictions dates extents langcode create_time user_mtime audit_info uri representative_file_version no_value'.split(
        ' ',
      ),
    sorts:
      'score title digital_object_id publish level digital_object_type restrictions create_time user_mtime uri'.split(
        ' ',
      ),
  },
  multi: {
    shows:
      'primary_type title context identifier dates extents langcode create_time user_mtime audit_info uri representative_file_version no_value'.split(
        ' ',
      ),
    sorts: 'score primary_type title identifier create_time user_mtime uri'.split(' '),
  },
  location: {
    shows:
      'title publish building floor room area location_holdings location_profile_display_string_u_ssort owner_repo_display_string_u_ssort temporary audit_info uri no_value'.split(
        ' ',
      ),
    sorts: 'score title publish building floor room area temporary uri'.split(' '),
  },
  agent: {
    shows: 'title primary_type publish authority_id source rules is_user audit_info uri no_value'.split(' '),
    sorts: 'score title primary_type publish authority_id source rules is_user uri'.split(' '),
  },
  archival_object: {
    shows:
      'title publish context identifier ref_id level dates extents langcode audit_info uri representative_file_version no_value'.split(
        ' ',
      ),
    sorts: 'score title publish identifier ref_id level uri'.split(' '),
  },
  assessment: {
    shows:
      'assessment_id assessment_records assessment_record_types assessment_surveyors assessment_survey_begin assessment_review_required assessment_sensitive_material assessment_inactive assessment_survey_year assessment_collections assessment_completed assessment_formats assessment_ratings assessment_conservation_issues audit_info uri no_value'.split(
        ' ',
      ),
    sorts:
      'score assessment_id assessment_survey_begin assessment_review_required assessment_sensitive_material assessment_inactive assessment_completed uri'.split(
        ' ',
      ),
  },
  classification: {
    shows: 'title has_classification_terms identifier audit_info uri no_value'.split(' '),
    sorts: 'score title has_classification_terms identifier uri'.split(' '),
  },
  collection_management: {
    shows:
      'parent_title parent_type processing_priority processing_status processing_hours_total processing_funding_source processors audit_info uri no_value'.split(
        ' ',
      ),
    sorts:
      'score parent_title parent_type processing_priority processing_status processing_hours_total processing_funding_source processors uri'.split(
        ' ',
      ),
  },
  container_profile: {
    shows:
      'title container_profile_width_u_sstr container_profile_height_u_sstr container_profile_depth_u_sstr container_profile_dimension_units_u_sstr audit_info uri notes no_value'.split(
        ' ',
      ),
    sorts: 'score title uri'.split(' '),
  },
  digital_object_component: {
    shows: 'title publish context dates extents langcode audit_info uri representative_file_version no_value'.split(
      ' ',
    ),
    sorts: 'score title publish uri'.split(' '),
  },
  event: {
    shows: 'agents event_type outcome linked_records audit_info uri no_value'.split(' '),
    sorts: 'score event_type outcome uri'.split(' '),
  },
  location_profile: {
    shows:
      'title location_profile_width_u_sstr location_profile_height_u_sstr location_profile_depth_u_sstr location_profile_dimension_units_u_sstr audit_info uri no_value'.split(
        ' ',
      ),
    sorts: 'score title uri'.split(' '),
  },
  repositories: {
    shows: 'title publish audit_info uri no_value'.split(' '),
    sorts: 'score title publish uri'.split(' '),
  },
  subject: {
    shows: 'title source first_term_type audit_info uri no_value'.split(' '),
    sorts: 'score title source first_term_type uri'.split(' '),
  },
  top_container: {
    shows:
      'title container_profile_display_string_u_sstr location_display_string_u_sstr type indicator barcode context audit_info uri no_value'.split(
        ' ',
      ),
    sorts: 'score title type indicator barcode uri'.split(' '),
  },
  top_container_mgmt: {
    shows:
      'resource_accession series container_profile type indicator barcode internal_note location restricted ils_holding_id exported_to_ils no_value'.split(
        ' ',
      ),
    sorts:
      'resource_accession series container_profile type indicator barcode internal_note location restricted ils_holding_id exported_to_ils'.split(
        ' ',
      ),
  },
  job: {
    shows: 'status job_report_type job_data time_started time_finished time_submitted audit_info uri no_value'.split(
      ' ',
    ),
    sorts: 'score status job_report_type time_started time_finished time_submitted uri'.split(' '),
  },
};

// Endpoints of the contract that later issues bring. The list only shrinks: the suite fails on an entry that is mounted.

/** Method and path as in test/contract/data/endpoints.json. */
export const later: ReadonlySet<string> = new Set<string>([
  'POST /bulk_archival_object_updater/repositories/:repo_id/generate_spreadsheet',
  'GET /date_calculator',
  'GET /repositories/:repo_id/resources/:id/templates/top_container_creation.csv',
  'GET /repositories/:repo_id/resources/:id/templates/digital_object_creation.csv',
  'GET /extent_calculator',
  'GET /reports',
  'GET /reports/static/*',
  'GET /reports/custom_data',
  'GET /repositories/:repo_id/resource_descriptions/:id.pdf',
]);

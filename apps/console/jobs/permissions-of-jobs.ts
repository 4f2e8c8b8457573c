// The permissions that jobs of a type need, besides create_job and cancel_job.

/** What starting a job of each type needs, and what canceling one does, as the jobs declare it; a test compares. Types that are not named need nothing more. */
export const permissionsOfJobs: {
  readonly [type: string]: { readonly create: readonly string[]; readonly cancel: readonly string[] };
} = {
  bulk_archival_object_updater_job: { create: ['update_resource_record'], cancel: [] },
  bulk_import_job: { create: ['import_records'], cancel: ['cancel_importer_job'] },
  find_and_replace_job: { create: ['manage_repository'], cancel: ['manage_repository'] },
  generate_arks_job: { create: ['administer_system'], cancel: ['administer_system'] },
  generate_slugs_job: { create: ['administer_system'], cancel: ['administer_system'] },
  import_job: { create: ['import_records'], cancel: ['cancel_importer_job'] },
  ns2_remover_job: { create: ['administer_system'], cancel: ['administer_system'] },
};

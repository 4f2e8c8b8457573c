export const permissionsOfJobs = {
    bulk_archival_object_updater_job: { create: ['update_resource_record'], cancel: [] },
    bulk_import_job: { create: ['import_records'], cancel: ['cancel_importer_job'] },
    find_and_replace_job: { create: ['manage_repository'], cancel: ['manage_repository'] },
    generate_arks_job: { create: ['administer_system'], cancel: ['administer_system'] },
    generate_slugs_job: { create: ['administer_system'], cancel: ['administer_system'] },
    import_job: { create: ['import_records'], cancel: ['cancel_importer_job'] },
    ns2_remover_job: { create: ['administer_system'], cancel: ['administer_system'] },
};

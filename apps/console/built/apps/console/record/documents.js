const findingAid = (name, ending, query) => ({
    name,
    path: `/resource_descriptions/:id.${ending}`,
    unpublished: 'include_unpublished',
    ...(query === undefined ? {} : { query }),
});
const ofDigitalObject = (name, path) => ({
    name,
    path: `/digital_objects/${path}/:id.xml`,
    unpublished: 'include_unpublished',
});
const ofAgents = (plural) => [
    { name: 'EAC-CPF', path: `/archival_contexts/${plural}/:id.xml`, unpublished: 'include_unpublished' },
    { name: 'MARCXML', path: `/agents/${plural}/marc21/:id.xml`, unpublished: 'include_unpublished' },
];
export const documentsOf = {
    resource: [
        findingAid('EAD', 'xml', 'include_daos=true'),
        findingAid('EAD3', 'xml', 'include_daos=true&ead3=true'),
        findingAid('PDF', 'pdf'),
        findingAid('HTML', 'html'),
        { name: 'MARCXML', path: '/resources/marc21/:id.xml', unpublished: 'include_unpublished_marc' },
        { name: 'container_labels', path: '/resource_labels/:id.tsv', unpublished: null },
    ],
    digital_object: [
        ofDigitalObject('METS', 'mets'),
        ofDigitalObject('MODS', 'mods'),
        ofDigitalObject('Dublin Core', 'dublin_core'),
    ],
    agent_person: ofAgents('people'),
    agent_corporate_entity: ofAgents('corporate_entities'),
    agent_family: ofAgents('families'),
};
export const repositoryOf = (uri, worked) => /^\/repositories\/\d+(?=\/)/.exec(uri)?.[0] ?? worked;
export function addressOf(document, uri, repository, isWhole) {
    const id = uri.slice(uri.lastIndexOf('/') + 1);
    const unpublished = isWhole && document.unpublished !== null ? `${document.unpublished}=true` : '';
    const query = [document.query ?? '', unpublished].filter((each) => each !== '').join('&');
    return `${repository}${document.path.replace(':id', id)}${query === '' ? '' : `?${query}`}`;
}

// Which documents there are of a record, by its kind: where each stands, and what asks for what is not published too.

/** A document: what standards call it, or the word for it; its path behind the repository; the parameter for what is not published, null where it always holds that. */
export type Document = {
  readonly name: string;
  readonly path: string;
  readonly unpublished: string | null;
  readonly query?: string;
};

const findingAid = (name: string, ending: string, query?: string): Document => ({
  name,
  path: `/resource_descriptions/:id.${ending}`,
  unpublished: 'include_unpublished',
  ...(query === undefined ? {} : { query }),
});

const ofDigitalObject = (name: string, path: string): Document => ({
  name,
  path: `/digital_objects/${path}/:id.xml`,
  unpublished: 'include_unpublished',
});

const ofAgents = (plural: string): readonly Document[] => [
  { name: 'EAC-CPF', path: `/archival_contexts/${plural}/:id.xml`, unpublished: 'include_unpublished' },
  { name: 'MARCXML', path: `/agents/${plural}/marc21/:id.xml`, unpublished: 'include_unpublished' },
];

/** The documents by kind, as the service declares them; a test compares. */
export const documentsOf: { readonly [kind: string]: readonly Document[] } = {
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

/** The repository that the documents of the record at `uri` are asked for in: its own; `worked` for agents, which are of none and are told as that one's. */
export const repositoryOf = (uri: string, worked: string | null): string | null =>
  /^\/repositories\/\d+(?=\/)/.exec(uri)?.[0] ?? worked;

/** The address of a document of the record at `uri`, in a repository. */
export function addressOf(document: Document, uri: string, repository: string, isWhole: boolean): string {
  const id = uri.slice(uri.lastIndexOf('/') + 1);
  const unpublished = isWhole && document.unpublished !== null ? `${document.unpublished}=true` : '';
  const query = [document.query ?? '', unpublished].filter((each) => each !== '').join('&');
  return `${repository}${document.path.replace(':id', id)}${query === '' ? '' : `?${query}`}`;
}

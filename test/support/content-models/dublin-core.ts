// Dublin Core as tables: a data table after the DCMI Metadata Terms; fifteen elements in any order, in each of the wrappers that hold them.
import { anyOf, contentModel } from './check.ts';

const elements =
  'contributor coverage creator date description format identifier language publisher relation rights source subject title type';
const terms = `${elements} abstract accessRights alternative available bibliographicCitation conformsTo created dateAccepted dateCopyrighted dateSubmitted extent hasPart hasVersion isPartOf isReferencedBy isReplacedBy isRequiredBy issued isVersionOf license medium modified provenance references replaces requires rightsHolder spatial tableOfContents temporal valid`;

/** The elements, and `dc`, which holds them in documents of digital objects. */
export const dublinCore = contentModel({
  namespace: 'http://purl.org/dc/elements/1.1/',
  roots: `dc ${elements}`,
  rows: [
    ['dc', anyOf(elements.split(' '))],
    [elements, '#', 'xml:lang'],
  ],
});

/** oai_dc: what OAI-PMH wraps the elements in. */
export const oaiDc = contentModel({
  namespace: 'http://www.openarchives.org/OAI/2.0/oai_dc/',
  roots: 'dc',
  rows: [['dc', '(\\* )*']],
});

/** The terms: the elements and what refines them. */
export const dcTerms = contentModel({
  namespace: 'http://purl.org/dc/terms/',
  roots: terms,
  rows: [[terms, '#', 'xml:lang']],
});

/** oai_dcterms: what our OAI-PMH wraps the terms in. */
export const oaiDcTerms = contentModel({
  namespace: 'http://www.openarchives.org/OAI/2.0/oai_dcterms/',
  roots: 'dcterms',
  rows: [['dcterms', '(\\* )+']],
});

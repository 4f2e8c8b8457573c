// OAI-PMH 2.0 as a table: a data table after the protocol (Open Archives Initiative, 2002) and its guideline on identifiers.
import { contentModel } from './check.ts';

const date = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\dZ)?$/;
const prefix = /^[\w.!~*'()-]+$/;
const set = /^[\w.!~*'()-]+(?::[\w.!~*'()-]+)*$/;
const address = /^[^\s<>"{}|\\^`]*$/;

/** Replies of a provider. */
export const oaiPmh = contentModel({
  namespace: 'http://www.openarchives.org/OAI/2.0/',
  roots: 'OAI-PMH',
  values: {
    verb: /^(?:Identify|ListMetadataFormats|ListSets|GetRecord|ListIdentifiers|ListRecords)$/,
    code: /^(?:cannotDisseminateFormat|idDoesNotExist|badArgument|badVerb|noMetadataFormats|noRecordsMatch|badResumptionToken|noSetHierarchy)$/,
    status: /^deleted$/,
    metadataPrefix: prefix,
    set,
    from: date,
    until: date,
    identifier: address,
    cursor: /^\d+$/,
    completeListSize: /^[1-9]\d*$/,
  },
  texts: {
    responseDate: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
    earliestDatestamp: date,
    datestamp: date,
    protocolVersion: /^2\.0$/,
    adminEmail: /^\S+@(?:\S+\.)+\S+$/,
    deletedRecord: /^(?:no|persistent|transient)$/,
    granularity: /^YYYY-MM-DD(?:Thh:mm:ssZ)?$/,
    metadataPrefix: prefix,
    setSpec: set,
    baseURL: address,
    schema: address,
    metadataNamespace: address,
    identifier: address,
  },
  rows: [
    [
      'OAI-PMH',
      'responseDate request ((error )+|Identify |ListMetadataFormats |ListSets |GetRecord |ListIdentifiers |ListRecords )',
    ],
    ['responseDate', '#'],
    ['request', '#', 'verb identifier metadataPrefix from until set resumptionToken'],
    ['error', '#', 'code!'],
    [
      'Identify',
      'repositoryName baseURL protocolVersion (adminEmail )+earliestDatestamp deletedRecord granularity (compression )*(description )*',
    ],
    ['repositoryName baseURL protocolVersion adminEmail earliestDatestamp deletedRecord granularity compression', '#'],
    ['description setDescription about', '\\* '],
    ['ListMetadataFormats', '(metadataFormat )+'],
    ['metadataFormat', 'metadataPrefix schema metadataNamespace '],
    ['metadataPrefix schema metadataNamespace setSpec setName identifier datestamp', '#'],
    ['ListSets', '(set )+(resumptionToken )?'],
    ['set', 'setSpec setName (setDescription )*'],
    ['GetRecord', 'record '],
    ['ListRecords', '(record )+(resumptionToken )?'],
    ['ListIdentifiers', '(header )+(resumptionToken )?'],
    ['record', 'header (metadata )?(about )*'],
    ['header', 'identifier datestamp (setSpec )*', 'status'],
    ['metadata', '\\* '],
    ['resumptionToken', '#', 'expirationDate completeListSize cursor'],
  ],
});

/** What a provider says of its identifiers. */
export const oaiIdentifier = contentModel({
  namespace: 'http://www.openarchives.org/OAI/2.0/oai-identifier',
  roots: 'oai-identifier',
  texts: {
    scheme: /^oai$/,
    repositoryIdentifier: /^[a-zA-Z][a-zA-Z0-9-]*(?:\.[a-zA-Z][a-zA-Z0-9-]*)*$/,
    delimiter: /^:$/,
    sampleIdentifier: /^oai:[a-zA-Z][a-zA-Z0-9-]*(?:\.[a-zA-Z][a-zA-Z0-9-]*)*:[\w\-.!~*'();/?:@&=+$,%]+$/,
  },
  rows: [
    ['oai-identifier', 'scheme repositoryIdentifier delimiter sampleIdentifier '],
    ['scheme repositoryIdentifier delimiter sampleIdentifier', '#'],
  ],
});

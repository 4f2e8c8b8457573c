// EAC-CPF 2010 as a table, as far as it is written: a data table after the tag library (Society of American Archivists, 2010).
import { contentModel } from './check.ts';

const date = '(date |dateRange |dateSet )';
const note = '(descriptiveNote )?';
const term = `(term )?(placeEntry )*${date}?(citation )?${note}`;
const discursive = '(p |outline |list |citation )*';
const group = (element: string): string => `(${element} )+${note}|${discursive}`;
const forms = '(authorizedForm |alternativeForm )*';
const written = 'scriptCode transliteration~';
const links =
  'lastDateTimeVerified xlink:type=simple xlink:href xlink:role xlink:arcrole xlink:title xlink:show=new|replace|embed|other|none xlink:actuate=onLoad|onRequest|other|none';
const dated = 'localType standardDate notBefore notAfter';
const related = `(relationEntry )*(objectXMLWrap |objectBinWrap )?${date}?(placeEntry )?${note}`;
const address = /^[^\s<>"{}|\\^`]*$/;

/** EAC-CPF 2010. */
export const eacCpf = contentModel({
  namespace: 'urn:isbn:1-931666-33-4',
  roots: 'eac-cpf',
  global: 'xml:id xml:lang',
  ids: 'xml:id',
  values: {
    'xlink:href': address,
    'xlink:role': address,
    'xlink:arcrole': address,
    vocabularySource: address,
    languageCode: /^[a-z]{3}$/,
    scriptCode: /^[A-Z][a-z]{3}$/,
    standardDate: /^-?\d{1,4}(?:-\d\d(?:-\d\d)?)?$/,
    standardDateTime: /^-?\d{4}(?:-\d\d(?:-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?)?)?$/,
  },
  texts: {
    recordId: /^[\p{L}\p{N}._:-]+$/u,
    maintenanceStatus: /^(?:revised|deleted|new|deletedSplit|deletedReplaced|cancelled|derived)$/,
    publicationStatus: /^(?:inProcess|approved)$/,
    eventType: /^(?:created|revised|deleted|cancelled|derived|updated)$/,
    agentType: /^(?:human|machine)$/,
    entityType: /^(?:person|corporateBody|family)$/,
    preferredForm: /^[\p{L}\p{N}._:-]+$/u,
    authorizedForm: /^[\p{L}\p{N}._:-]+$/u,
    alternativeForm: /^[\p{L}\p{N}._:-]+$/u,
  },
  rows: [
    ['eac-cpf', 'control cpfDescription '],
    [
      'control',
      'recordId (otherRecordId )*maintenanceStatus (publicationStatus )?maintenanceAgency (languageDeclaration )?(conventionDeclaration )*(localTypeDeclaration )*(localControl )*maintenanceHistory (sources )?',
    ],
    ['recordId maintenanceStatus publicationStatus agencyName agencyCode otherAgencyCode', '#'],
    ['otherRecordId entityId', '#', 'localType'],
    ['maintenanceAgency', `(agencyCode )?(otherAgencyCode )*agencyName ${note}`],
    ['languageDeclaration languageUsed', `language script ${note}`],
    ['language', '#', 'languageCode!'],
    ['script', '#', 'scriptCode!'],
    ['conventionDeclaration localTypeDeclaration', `(abbreviation )?citation ${note}`],
    ['abbreviation', '#'],
    ['citation', '#(span )*', links],
    ['localControl', '(term )?(date |dateRange )?', 'localType!'],
    ['maintenanceHistory', '(maintenanceEvent )+'],
    ['maintenanceEvent', 'eventType eventDateTime agentType agent (eventDescription )?'],
    ['eventType agentType agent eventDescription', '#'],
    ['eventDateTime', '#', 'standardDateTime'],
    ['sources', '(source )+'],
    ['source', `(sourceEntry )?(objectXMLWrap )?${note}`, links],
    ['sourceEntry', '#', written],
    ['cpfDescription', 'identity (description )?(relations )?(alternativeSet )?'],
    [
      'identity',
      `(entityId )*entityType (nameEntryParallel |nameEntry )+${note}`,
      'localType identityType=given|acquired',
    ],
    ['entityType', '#'],
    ['nameEntry', `(part )+(useDates )?${forms}`, `${written} localType`],
    ['nameEntryParallel/nameEntry', '(part )+(preferredForm )*', `${written} localType`],
    ['nameEntryParallel', `nameEntry (nameEntry )+(useDates )?${forms}`, 'localType'],
    ['part', '#', 'localType'],
    ['preferredForm authorizedForm alternativeForm', '#'],
    ['useDates', date],
    ['date', '#', dated],
    ['fromDate toDate', '#', 'standardDate notBefore notAfter'],
    ['dateRange', '(fromDate )?(toDate )?', 'localType'],
    ['dateSet', '(date |dateRange ){2,}', 'localType'],
    [
      'description',
      '(existDates )?(places |place |localDescription |localDescriptions |legalStatus |legalStatuses |function |functions |languageUsed |languagesUsed |occupation |occupations |mandate |mandates |structureOrGenealogy |generalContext )*(biogHist )*',
    ],
    ['existDates', `${date}${note}`, 'localType'],
    ['places', group('place'), 'localType'],
    ['functions', group('function'), 'localType'],
    ['occupations', group('occupation'), 'localType'],
    ['localDescriptions', group('localDescription'), 'localType!'],
    ['languagesUsed', `(languageUsed )+${note}`, 'localType'],
    ['place', `(placeRole )?(placeEntry )*(address )?${date}?(citation )?${note}`, 'localType'],
    ['placeRole', '#', `${written} vocabularySource`],
    ['placeEntry', '#', `${written} localType countryCode vocabularySource latitude~ longitude~ altitude~`],
    ['term', '#', `${written} vocabularySource`],
    ['function legalStatus mandate occupation', term, 'localType'],
    ['localDescription', term, 'localType!'],
    ['generalContext structureOrGenealogy', discursive, 'localType'],
    ['biogHist', '(abstract )?(chronList |list |p |outline |citation )*', 'localType'],
    ['abstract', '#(span )*', 'localType'],
    ['p', '#(span )*'],
    ['descriptiveNote', '(p )+'],
    ['list', '(item )+', 'localType'],
    ['outline', '(level )+', 'localType'],
    ['level', 'item (level )*', 'localType'],
    ['item', '#(span )*', 'localType'],
    ['chronList', '(chronItem )+', 'localType'],
    ['chronItem', '(date |dateRange )(placeEntry )?event ', 'localType'],
    ['event', '#', 'localType'],
    ['relations', '(cpfRelation )*(resourceRelation )*(functionRelation )*'],
    [
      'cpfRelation',
      related,
      `${links} cpfRelationType=identity|hierarchical|hierarchical-parent|hierarchical-child|temporal|temporal-earlier|temporal-later|family|associative`,
    ],
    ['resourceRelation', related, `${links} resourceRelationType=creatorOf|subjectOf|other`],
    ['relationEntry', '#', `${written} localType`],
    ['alternativeSet', '(setComponent )+'],
    ['setComponent', `(componentEntry )*(objectXMLWrap )?${note}`, links],
    ['componentEntry', '#', `${written} localType`],
  ],
});

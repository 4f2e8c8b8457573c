// MODS 3.4 as a table, as far as it is written: a data table after the user guidelines of the Library of Congress.
import { contentModel, either } from './check.ts';

const parts = either(
  'abstract accessCondition classification genre identifier language location name note originInfo part physicalDescription recordInfo relatedItem subject tableOfContents targetAudience titleInfo typeOfResource',
);
const authority = 'authority authorityURI valueURI';
const date =
  'encoding=w3cdtf|iso8601|marc|temper|edtf qualifier=approximate|inferred|questionable point=start|end keyDate=yes';

/** MODS. */
export const mods = contentModel({
  namespace: 'http://www.loc.gov/mods/v3',
  roots: 'mods',
  global: 'xml:lang',
  ids: 'ID',
  values: { valueURI: /^[^\s<>"{}|\\^`]*$/, authorityURI: /^[^\s<>"{}|\\^`]*$/ },
  texts: {
    typeOfResource:
      /^(?:text|cartographic|notated music|sound recording(?:-musical|-nonmusical)?|still image|moving image|three dimensional object|software, multimedia|mixed material)$/,
    url: /^[^\s<>"{}|\\^`]*$/,
  },
  rows: [
    ['mods', `(${parts})+`, 'ID version=3.[0-4]'],
    [
      'relatedItem',
      `(${parts})*`,
      'ID displayLabel type=preceding|succeeding|original|host|constituent|series|otherVersion|otherFormat|isReferencedBy|references|reviewOf',
    ],
    // The schema lets title information be empty; the guidelines want a title.
    [
      'titleInfo',
      '(nonSort )?title (subTitle |partNumber |partName )*',
      'type=abbreviated|translated|alternative|uniform displayLabel',
    ],
    ['title nonSort subTitle partNumber partName', '#'],
    [
      'name',
      '(namePart |displayForm |affiliation |role |description )*',
      `ID type=personal|corporate|conference|family ${authority}`,
    ],
    ['namePart', '#', 'type=date|family|given|termsOfAddress'],
    ['role', '(roleTerm )+'],
    ['roleTerm scriptTerm', '#', `${authority} type=code|text`],
    ['languageTerm', '#', 'type=code|text authority=rfc3066|iso639-2b|iso639-3|rfc4646 authorityURI valueURI'],
    ['language', '(languageTerm )+(scriptTerm )*', 'objectPart displayLabel usage=primary'],
    ['typeOfResource', '#', 'collection=yes manuscript=yes'],
    ['genre topic geographic occupation', '#', `${authority} type displayLabel`],
    ['temporal', '#', `${authority} ${date}`],
    [
      'originInfo',
      `(${either('place publisher dateIssued dateCreated dateCaptured dateValid dateModified copyrightDate dateOther edition issuance frequency')})+`,
      'displayLabel',
    ],
    ['dateIssued dateCreated dateCaptured dateValid dateModified copyrightDate', '#', date],
    ['dateOther', '#', `${date} type`],
    [
      'physicalDescription',
      '(form |reformattingQuality |internetMediaType |extent |digitalOrigin |note )+',
      'displayLabel',
    ],
    ['extent', '#'],
    ['abstract note accessCondition', '#', 'type displayLabel'],
    ['identifier', '#', 'type displayLabel invalid=yes'],
    ['location', '(physicalLocation )*(shelfLocator )*(url )*'],
    ['physicalLocation', '#', `${authority} type displayLabel`],
    ['url', '#', 'displayLabel note usage'],
    // The schema lets a subject be empty; nothing is said by one.
    ['subject', '(topic |geographic |temporal |titleInfo |name |occupation |genre )+', `ID ${authority} displayLabel`],
  ],
});

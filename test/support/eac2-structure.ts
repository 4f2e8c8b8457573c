// EAC-CPF 2.0 (Society of American Archivists, 2022) as a table: which children an element has, in which order and how often, whether it may
// hold text, and which attributes. Its schema is not among the published ones that tests have; the table follows the tag library, as far as
// records and documents here come, and is tried on the real documents of that version.
import { createXmlReader } from '#domain/formats/xml/reader.ts';

/** `content` is a regular expression over the names of children, each followed by a blank; `#` in front lets text stand there. */
type Rule = { readonly content: string; readonly attributes: string };

// The example of the tag library has these on nearly every element.
const global =
  'audience id base languageOfElement scriptOfElement target lang conventionDeclarationReference maintenanceEventReference sourceReference localType localTypeDeclarationReference valueURI vocabularySource vocabularySourceURI';
const links = 'href linkRole linkTitle lastDateTimeVerified';
const dateAttributes = 'calendar certainty era notAfter notBefore standardDate status';

const dates = '(date |dateRange |dateSet )';
const note = '(descriptiveNote )?';
const term = `(term )+${dates}*(placeName )*(place )*(reference )*${note}`;
const group = (name: string): string => `(${name} )+${note}`;
const narrative = '(head |abstract |list |chronList |p )+';
const wrapped = `${note}(objectXMLWrap )?`;
const declaration = `reference (shortCode )?${note}`;
const text = '#';
const inline = '#(reference |span )*';

const rules: ReadonlyMap<string, Rule> = new Map(
  (
    [
      ['eac', 'control (cpfDescription |multipleIdentities )'],
      [
        'control',
        'recordId maintenanceAgency maintenanceHistory (sources )?(conventionDeclaration |languageDeclaration |localControl |localTypeDeclaration |otherRecordId |representation |rightsDeclaration )*',
        'countryEncoding dateEncoding detailLevel languageEncoding maintenanceStatus! publicationStatus repositoryEncoding scriptEncoding',
      ],
      ['recordId', text, 'instanceURL'],
      ['otherRecordId', text],
      ['maintenanceAgency', `(agencyCode )*(agencyName )*(otherAgencyCode )*${note}`, 'countryCode'],
      ['agencyCode', text, 'status'],
      ['agencyName', text],
      ['otherAgencyCode', text, 'status'],
      ['maintenanceHistory', '(maintenanceEvent )+'],
      ['maintenanceEvent', '(agent )+eventDateTime (eventDescription )*', 'maintenanceEventType!'],
      ['agent', text, 'agentType!'],
      ['eventDateTime', text, 'standardDateTime'],
      ['eventDescription', text],
      ['sources', `(source )+${note}`],
      ['source', `reference (citedRange )*${wrapped}`, links],
      ['citedRange', text, 'unit'],
      ['reference', inline, links],
      ['conventionDeclaration', declaration],
      ['rightsDeclaration', declaration],
      ['localTypeDeclaration', declaration],
      ['shortCode', text],
      ['localControl', `(term )+${dates}?`],
      ['representation', text, links],
      ['languageDeclaration', note, 'languageCode! scriptCode!'],
      ['multipleIdentities', '(cpfDescription )+'],
      ['cpfDescription', 'identity (description )?(relations )?(alternativeSet )?'],
      ['identity', `entityType (nameEntry |nameEntrySet )+(otherEntityTypes )?(identityId )*${note}`, 'identityType'],
      ['entityType', '', 'value!'],
      ['otherEntityTypes', group('otherEntityType')],
      ['otherEntityType', term],
      ['identityId', text],
      ['nameEntry', '(part )+(useDates )*', 'preferredForm status'],
      ['nameEntrySet', `nameEntry (nameEntry )+(useDates )*${note}`],
      ['part', text],
      ['useDates', `${dates}${note}`],
      [
        'description',
        '(biogHist |demographicDescriptions |existDates |functions |generalContext |languagesUsed |legalStatuses |localDescriptions |mandates |occupations |places |structureOrGenealogy )*',
      ],
      ['existDates', `${dates}+${note}`],
      ['functions', group('function')],
      ['demographicDescriptions', group('demographicDescription')],
      ['legalStatuses', group('legalStatus')],
      ['localDescriptions', group('localDescription')],
      ['mandates', group('mandate')],
      ['occupations', group('occupation')],
      ['places', group('place')],
      ['languagesUsed', group('languageUsed')],
      ['function', term],
      ['demographicDescription', term],
      ['legalStatus', term],
      ['localDescription', term],
      ['mandate', term],
      ['occupation', term],
      ['languageUsed', `(language |writingSystem )+${note}`],
      ['language', text, 'languageCode'],
      ['writingSystem', text, 'scriptCode'],
      ['place', `(placeName )*(placeRole )*(address |contact |geographicCoordinates )*${dates}*${note}`],
      ['placeName', text, 'countryCode'],
      ['placeRole', text],
      ['term', text],
      ['address', '(addressLine )+'],
      ['addressLine', text, 'addressLineType'],
      ['contact', '(contactLine )+'],
      ['contactLine', text, `contactLineType ${links}`],
      ['geographicCoordinates', text, 'coordinateSystem'],
      ['date', text, dateAttributes],
      ['dateRange', 'fromDate toDate ', dateAttributes],
      ['fromDate', text, dateAttributes],
      ['toDate', text, dateAttributes],
      ['dateSet', '(date |dateRange ){2,}', dateAttributes],
      ['biogHist', narrative],
      ['generalContext', narrative],
      ['structureOrGenealogy', narrative],
      ['head', inline],
      ['abstract', inline],
      ['p', inline],
      ['span', text, 'style'],
      ['descriptiveNote', '(p )+'],
      ['list', '(head )?(item |list )+', 'listType style'],
      ['item', inline],
      ['chronList', '(head )?(chronItem )+'],
      ['chronItem', `${dates}(event |place |chronItemSet )+(reference )*`],
      ['chronItemSet', '(event |place )+(reference )*'],
      ['event', inline],
      ['relations', group('relation')],
      ['relation', `targetEntity ${dates}*(relationType )*(targetRole )*(place )*${wrapped}`, links],
      ['targetEntity', '(part )+', 'targetType!'],
      ['relationType', text],
      ['targetRole', text],
      ['alternativeSet', '(setComponent )+'],
      ['setComponent', `(componentEntry )?${wrapped}`, links],
      ['componentEntry', text],
      ['objectXMLWrap', ''],
    ] satisfies readonly (readonly [string, string, string?])[]
  ).map(([name, content, attributes = '']) => [name, { content, attributes }]),
);

/** Attributes with closed lists of values. */
const values: ReadonlyMap<string, RegExp> = new Map([
  ['maintenanceStatus', /^(?:cancelled|deleted|deletedMerged|deletedReplaced|deletedSplit|derived|new|revised)$/],
  ['publicationStatus', /^(?:approved|inProcess|published)$/],
  ['maintenanceEventType', /^(?:cancelled|created|deleted|derived|revised|unknown|updated)$/],
  ['agentType', /^(?:human|machine|unknown)$/],
  ['preferredForm', /^(?:true|false|0|1)$/],
  ['targetType', /^(?:agent|corporateBody|family|person|function|resource)$/],
  ['languageCode', /^[A-Za-z]{2,3}(?:-[\w-]+)?$/],
  ['languageOfElement', /^[A-Za-z]{2,3}(?:-[\w-]+)?$/],
  ['scriptCode', /^[A-Z][a-z]{3}$/],
  ['scriptOfElement', /^[A-Z][a-z]{3}$/],
  ['listType', /^(?:ordered|unordered)$/],
  ['standardDate', /^[-\d./T:~?%XYuU[\]]+$/],
  ['standardDateTime', /^\d{4}(?:-\d\d(?:-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?)?)?$/],
  ['href', /^[^\s<>"{}|\\^`]*$/],
  ['linkRole', /^[^\s<>"{}|\\^`]*$/],
  ['valueURI', /^[^\s<>"{}|\\^`]*$/],
]);

type Open = { readonly name: string; readonly line: number; children: string; hasText: boolean };

/** What of a document the table does not allow, each with its line; none where it allows all. Elements of other namespaces are passed over. */
export function faultsOfEac2(xml: string): readonly string[] {
  const faults: string[] = [];
  const open: Open[] = [];
  let foreign = 0;
  const reader = createXmlReader({
    open(tag) {
      if (foreign > 0 || tag.namespace !== 'https://archivists.org/ns/eac/v2') {
        foreign += 1;
        if (open.length === 0) faults.push(`${tag.line}: the root ${tag.name} is of another namespace`);
        return;
      }
      const parent = open.at(-1);
      if (parent !== undefined) parent.children += `${tag.name} `;
      open.push({ name: tag.name, line: tag.line, children: '', hasText: false });
      const rule = rules.get(tag.name);
      if (rule === undefined) return void faults.push(`${tag.line}: no element ${tag.name}`);
      const known = `${global} ${rule.attributes}`.split(' ');
      const names = tag.attributes.map((attribute) => attribute.local);
      for (const name of known)
        if (name.endsWith('!') && !names.includes(name.slice(0, -1)))
          faults.push(`${tag.line}: ${tag.name} lacks ${name.slice(0, -1)}`);
      for (const { local: name, value } of tag.attributes) {
        if (name === 'schemaLocation') continue;
        if (!known.includes(name) && !known.includes(`${name}!`))
          faults.push(`${tag.line}: ${tag.name} has no attribute ${name}`);
        if (values.get(name)?.test(value) === false)
          faults.push(`${tag.line}: ${name} of ${tag.name} may not be "${value}"`);
      }
    },
    text(words) {
      const element = open.at(-1);
      if (element !== undefined && foreign === 0 && words.trim() !== '') element.hasText = true;
    },
    close() {
      if (foreign > 0) return void (foreign -= 1);
      const element = open.pop();
      const content = rules.get(element?.name ?? '')?.content;
      if (element === undefined || content === undefined) return;
      const isText = content.startsWith('#');
      if (element.hasText && !isText) faults.push(`${element.line}: text in ${element.name}`);
      if (!new RegExp(`^(?:${isText ? content.slice(1) : content})$`).test(element.children))
        faults.push(`${element.line}: ${element.name} may not hold "${element.children.trim()}"`);
    },
  });
  reader.feed(xml);
  reader.end();
  return faults;
}

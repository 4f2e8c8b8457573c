// Sheets of AtoM to records: every column is somewhere, trees in any order of rows, cells with several values.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import type { Reading } from '../../../../support/import-reading.ts';
import { readFormat } from '../../../../support/import-reading.ts';

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const sheet = (rows: readonly { readonly [column: string]: string }[], end = '\n'): string => {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))]
    .map((cells) => cells.map(quoted).join(','))
    .join(end);
};

const descriptionColumns =
  'legacyId parentId qubitParentSlug accessionNumber identifier title levelOfDescription extentAndMedium repository archivalHistory acquisition scopeAndContent appraisal accruals arrangement accessConditions reproductionConditions language script languageNote physicalCharacteristics findingAids locationOfOriginals locationOfCopies relatedUnitsOfDescription publicationNote digitalObjectPath digitalObjectURI digitalObjectChecksum generalNote subjectAccessPoints placeAccessPoints nameAccessPoints genreAccessPoints descriptionIdentifier institutionIdentifier rules descriptionStatus levelOfDetail revisionHistory languageOfDescription scriptOfDescription sources archivistNote publicationStatus physicalObjectName physicalObjectLocation physicalObjectType alternativeIdentifiers alternativeIdentifierLabels eventDates eventTypes eventStartDates eventEndDates eventActors eventActorHistories culture'.split(
    ' ',
  );
const authorityColumns =
  'culture typeOfEntity authorizedFormOfName parallelFormsOfName standardizedFormsOfName otherFormsOfName corporateBodyIdentifiers datesOfExistence history places legalStatus functions occupations mandates internalStructures generalContext descriptionIdentifier institutionIdentifier rules status levelOfDetail revisionHistory sources maintenanceNotes'.split(
    ' ',
  );
const accessionColumns =
  'accessionNumber alternativeIdentifiers alternativeIdentifierTypes alternativeIdentifierNotes acquisitionDate sourceOfAcquisition locationInformation acquisitionType resourceType title archivalHistory scopeAndContent appraisal physicalCondition receivedExtentUnits processingStatus processingPriority processingNotes physicalObjectName physicalObjectLocation physicalObjectType donorName donorStreetAddress donorCity donorRegion donorCountry donorPostalCode donorTelephone donorFax donorEmail donorNote donorContactPerson creators eventTypes eventDates eventStartDates eventEndDates accessionEventTypes accessionEventDates accessionEventAgents accessionEventNotes culture'.split(
    ' ',
  );

/** Columns whose text is a code for something: not in the records as it stands, nor told. */
const coded: { readonly [column: string]: string } = {
  parentId: '',
  levelOfDescription: 'Fonds',
  language: 'en',
  script: 'latn',
  languageOfDescription: 'en',
  scriptOfDescription: 'latn',
  publicationStatus: 'Published',
  descriptionStatus: 'Final',
  status: 'Final',
  typeOfEntity: 'Corporate body',
  acquisitionDate: '2010-01-29',
  culture: 'en',
};
const marked = (columns: readonly string[]): { readonly [column: string]: string } =>
  Object.fromEntries(columns.map((column) => [column, coded[column] ?? `mark of ${column}`]));
/** The columns whose text is neither in a record nor told. */
const lost = (columns: readonly string[], { records, report }: Reading): readonly string[] => {
  const everything = JSON.stringify([records, report.dropped]);
  return columns.filter((column) => !(column in coded) && !everything.includes(`mark of ${column}`));
};
/** Lists that have none of the texts, in whatever form they are looked up. */
const strict = { isEnumerationValue: (_list: string, value: string) => !/^mark.of/i.test(value) };
const dropped = ({ report }: Reading): readonly string[] =>
  report.dropped.map(({ line, element, reason, text }) => `${line} ${element}: ${reason}: ${text}`);

describe('every column', () => {
  it.each([
    ['atom_description_csv', descriptionColumns],
    ['atom_authority_csv', authorityColumns],
    ['atom_accession_csv', accessionColumns],
  ])('of %s is in a record or told as left out', async (type, columns) => {
    const reading = await readFormat(type, sheet([marked(columns)]), strict);
    expect(lost(columns, reading)).toEqual([]);
    expect(dropped(reading).filter((line) => line.includes('no column of this import'))).toEqual([]);
  });

  it('of a description below another is in a record or told, too', async () => {
    const below = { ...marked(descriptionColumns), legacyId: 'mark of legacyId', parentId: '1' };
    const reading = await readFormat(
      'atom_description_csv',
      sheet(
        [{ ...below, legacyId: '1', parentId: '', title: 'Top' }, below].map((row, index) =>
          index === 0 ? { legacyId: '1', title: 'Top', levelOfDescription: 'Fonds' } : row,
        ),
      ),
      strict,
    );
    expect(lost(descriptionColumns, reading)).toEqual([]);
    for (const column of ['languageOfDescription', 'rules', 'descriptionStatus'])
      expect(dropped(reading)).toContainEqual(
        expect.stringMatching(`^3 ${column}: said of the description as a whole`),
      );
  });

  it('that nobody knows is told', async () => {
    const reading = await readFormat('atom_accession_csv', 'accessionNumber,shoeSize\nA1,44\n');
    expect(dropped(reading)).toEqual(['1 shoeSize: no column of this import; it is ignored: shoeSize']);
  });
});

describe('archival descriptions', () => {
  it('are trees in whatever order the rows stand, several of them', async () => {
    const reading = await readFormat(
      'atom_description_csv',
      `\ufeff${sheet(
        [
          { legacyId: '5', parentId: '3', title: 'Letter "one"', levelOfDescription: 'Item' },
          { legacyId: '3', parentId: '1', title: 'Letters,\r\nand drafts', levelOfDescription: 'Series' },
          { legacyId: '1', parentId: '', title: 'Papers', levelOfDescription: 'Fonds', identifier: 'F1' },
          {
            legacyId: '2',
            parentId: 'NULL',
            title: 'Other papers',
            levelOfDescription: 'Collection',
            identifier: 'F2',
          },
          { legacyId: '6', parentId: '3', title: 'Letter two', levelOfDescription: 'Part' },
          { legacyId: '', parentId: '2', title: 'Plan', levelOfDescription: '' },
        ],
        '\r\n',
      )}`,
    );
    const titles = new Map(reading.records.map((record) => [record.uri, record['title']]));
    const at = (ref: unknown): unknown => titles.get(String((ref as JsonObject | undefined)?.['ref'] ?? ''));
    expect(reading.of('resource').map((each) => [each['id_0'], each['title'], each['level']])).toEqual([
      ['F1', 'Papers', 'fonds'],
      ['F2', 'Other papers', 'collection'],
    ]);
    expect(
      reading
        .of('archival_object')
        .map((each) => [
          each['title'],
          at(each['resource']),
          at(each['parent']),
          each['position'],
          each['other_level'],
        ]),
    ).toEqual([
      ['Letters,\r\nand drafts', 'Papers', undefined, 0, undefined],
      ['Letter "one"', 'Papers', 'Letters,\r\nand drafts', 0, undefined],
      ['Letter two', 'Papers', 'Letters,\r\nand drafts', 1, 'Part'],
      ['Plan', 'Other papers', undefined, 0, 'unspecified'],
    ]);
  });

  it('of several languages keep the first and tell of the others', async () => {
    const row = { legacyId: '1', levelOfDescription: 'Fonds', identifier: 'F' };
    const reading = await readFormat(
      'atom_description_csv',
      sheet([
        { ...row, title: 'Papers', culture: 'en' },
        { ...row, title: 'Papiers', culture: 'fr' },
      ]),
    );
    expect(reading.of('resource')).toHaveLength(1);
    expect(reading.of('resource')[0]).toMatchObject({ title: 'Papers', finding_aid_language: 'eng' });
    expect(dropped(reading)).toContainEqual(expect.stringMatching(/^3 culture: a translation.*line 2.*fr: Papiers$/));
  });

  it('have dates, creators and histories that belong together', async () => {
    const reading = await readFormat(
      'atom_description_csv',
      sheet([
        {
          legacyId: '1',
          title: 'Papers',
          levelOfDescription: 'Fonds',
          eventActors: 'Doe, Jane, 1900-1950|NULL|Example Society',
          eventActorHistories: 'Born somewhere|NULL|',
          eventTypes: 'Creation|Publication|Accumulation',
          eventDates: '1920s|printed 1930|',
          eventStartDates: '1920-00-00|1930|1940-05-01',
          eventEndDates: '1929-12-31|NULL|1939',
          nameAccessPoints: 'Doe, Jane, 1900-1950|Roe family',
        },
      ]),
    );
    const [resource] = reading.of('resource');
    expect(resource?.['dates']).toEqual([
      {
        jsonmodel_type: 'date',
        label: 'creation',
        date_type: 'inclusive',
        expression: '1920s',
        begin: '1920',
        end: '1929-12-31',
      },
      { jsonmodel_type: 'date', label: 'publication', date_type: 'single', expression: 'printed 1930', begin: '1930' },
      { jsonmodel_type: 'date', label: 'record_keeping', date_type: 'single', begin: '1940-05-01' },
    ]);
    const [jane] = reading.of('agent_person');
    const [society] = reading.of('agent_corporate_entity');
    expect(jane).toMatchObject({
      names: [{ primary_name: 'Doe', rest_of_name: 'Jane', dates: '1900-1950', name_order: 'inverted' }],
      notes: [{ jsonmodel_type: 'note_bioghist', subnotes: [{ content: 'Born somewhere' }] }],
    });
    expect(resource?.['linked_agents']).toEqual([
      { ref: jane?.uri, role: 'creator' },
      { ref: society?.uri, role: 'creator', relator: 'col' },
      { ref: jane?.uri, role: 'subject' },
      { ref: reading.of('agent_family')[0]?.uri, role: 'subject' },
    ]);
    expect(dropped(reading)).toContainEqual(
      expect.stringMatching(/^2 eventEndDates: an end before its beginning: 1939$/),
    );
    expect(dropped(reading)).toContainEqual(
      expect.stringMatching(/^2 eventActors: .*of a corporate body: Example Society$/),
    );
  });

  it('share containers within a tree, and keep the addresses of files', async () => {
    const box = { physicalObjectName: 'Box 1|', physicalObjectType: 'Box|', physicalObjectLocation: 'Shelf 9|' };
    const reading = await readFormat(
      'atom_description_csv',
      sheet([
        { legacyId: '1', parentId: '', title: 'Papers', levelOfDescription: 'Fonds', ...box },
        {
          legacyId: '2',
          parentId: '1',
          title: 'Letter',
          levelOfDescription: 'Item',
          ...box,
          digitalObjectURI: 'https://example.org/a.jpg',
          digitalObjectChecksum: 'a'.repeat(64),
        },
      ]),
    );
    expect(reading.of('top_container')).toMatchObject([
      { indicator: 'Box 1', type: 'box', internal_note: 'Location: Shelf 9' },
    ]);
    expect(reading.of('archival_object')[0]?.['instances']).toMatchObject([
      { sub_container: { top_container: { ref: reading.of('top_container')[0]?.uri } } },
      { instance_type: 'digital_object', digital_object: { ref: reading.of('digital_object')[0]?.uri } },
    ]);
    expect(reading.of('digital_object')[0]?.['file_versions']).toMatchObject([
      { file_uri: 'https://example.org/a.jpg', checksum: 'a'.repeat(64), checksum_method: 'sha-256' },
    ]);
  });

  it.each([
    ['a parent that is not there', [{ legacyId: '1', parentId: '9' }], 2, 'parentId', 'No row has the legacyId 9.'],
    [
      'descriptions below themselves',
      [
        { legacyId: '1', parentId: '2' },
        { legacyId: '2', parentId: '1' },
      ],
      2,
      'parentId',
      'The description is below itself.',
    ],
    [
      'an id that is there twice',
      [
        { legacyId: '1', parentId: '' },
        { legacyId: '1', parentId: '' },
      ],
      3,
      'legacyId',
      'Line 2 has the legacyId 1 as well.',
    ],
  ])('are refused for %s', async (_what, rows, line, element, message) => {
    await expect(
      readFormat(
        'atom_description_csv',
        sheet(rows.map((row) => ({ ...row, title: 'x', levelOfDescription: 'Fonds' }))),
      ),
    ).rejects.toMatchObject({ error: { line, element, message } });
  });
});

describe('authority records', () => {
  it('are agents of the type that the row says, with all their names', async () => {
    const reading = await readFormat(
      'atom_authority_csv',
      sheet([
        {
          typeOfEntity: 'Person',
          authorizedFormOfName: 'Doe, Jane',
          otherFormsOfName: 'J. D.|Jane D.',
          datesOfExistence: '1900-1950',
          culture: 'fr',
          legalStatus: '',
        },
        {
          typeOfEntity: 'Family',
          authorizedFormOfName: 'Roe',
          datesOfExistence: 'for long',
          culture: 'en',
          legalStatus: 'none',
        },
      ]),
    );
    expect(reading.of('agent_person')[0]).toMatchObject({
      names: [{ primary_name: 'Doe', authorized: true }, { primary_name: 'J. D.' }, { primary_name: 'Jane D.' }],
      dates_of_existence: [
        { structured_date_range: { begin_date_standardized: '1900', end_date_standardized: '1950' } },
      ],
      agent_record_controls: [{ language: 'fre' }],
    });
    expect(reading.of('agent_family')[0]).toMatchObject({
      names: [{ family_name: 'Roe' }],
      dates_of_existence: [{ structured_date_single: { date_expression: 'for long' } }],
      notes: [{ jsonmodel_type: 'note_legal_status' }],
    });
  });

  it('without a type or a name are faults, all of them', async () => {
    await expect(
      readFormat('atom_authority_csv', 'typeOfEntity,authorizedFormOfName\nThing,Name\nPerson,\n'),
    ).rejects.toMatchObject({
      error: {
        faults: [
          { line: 2, column: 'typeOfEntity' },
          { line: 3, column: 'authorizedFormOfName' },
        ],
      },
    });
  });
});

// Sheets of AtoM to records: every column is somewhere, trees in any order of rows, cells with several values.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { dropped, lost, marked, sheet, strict } from '../../../../../support/atom-sheet.ts';
import { readFormat } from '../../../../../support/import-reading.ts';

const descriptionColumns =
  'legacyId parentId qubitParentSlug accessionNumber identifier title levelOfDescription extentAndMedium repository archivalHistory acquisition scopeAndContent appraisal accruals arrangement accessConditions reproductionConditions language script languageNote physicalCharacteristics findingAids locationOfOriginals locationOfCopies relatedUnitsOfDescription publicationNote digitalObjectPath digitalObjectURI digitalObjectChecksum generalNote subjectAccessPoints placeAccessPoints nameAccessPoints genreAccessPoints descriptionIdentifier institutionIdentifier rules descriptionStatus levelOfDetail revisionHistory languageOfDescription scriptOfDescription sources archivistNote publicationStatus physicalObjectName physicalObjectLocation physicalObjectType alternativeIdentifiers alternativeIdentifierLabels eventDates eventTypes eventStartDates eventEndDates eventActors eventActorHistories culture'.split(
    ' ',
  );
describe('every column', () => {
  it('is in a record or told as left out', async () => {
    const reading = await readFormat('atom_description_csv', sheet([marked(descriptionColumns)]), strict);
    expect(lost(descriptionColumns, reading)).toEqual([]);
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
});

describe('archival descriptions', () => {
  it('tell what stands in for what a resource must have, and only where it does', async () => {
    const standIns = async (row: { readonly [column: string]: string }): Promise<readonly string[]> =>
      dropped(
        await readFormat(
          'atom_description_csv',
          sheet([{ legacyId: '1', levelOfDescription: 'Fonds', ...row }]),
          strict,
        ),
      )
        .filter((line) => line.includes('stands in for it'))
        .map((line) => line.replace(/imported-\S+/, 'imported'));
    expect(await standIns({ title: '' })).toEqual([
      '2 title: no title; [untitled] stands in for it: stand-in',
      '2 identifier: no identifier; imported stands in for it: stand-in',
      '2 eventDates: no date; "undated" stands in for it: stand-in',
      '2 extentAndMedium: it counts nothing that can be stored; "1 collection" stands in for it: stand-in',
      '2 language: no language of the material; "und" stands in for it: stand-in',
    ]);
    expect(
      await standIns({
        title: 'Papers',
        identifier: 'A',
        eventDates: '1900',
        extentAndMedium: '2 boxes',
        language: 'en',
      }),
    ).toEqual([]);
  });

  it('have what stands in for what they lack', async () => {
    const reading = await readFormat(
      'atom_description_csv',
      sheet([{ legacyId: '1', title: '', levelOfDescription: 'Fonds' }]),
    );
    expect(reading.of('resource')).toEqual([
      expect.objectContaining({
        title: '[untitled]',
        id_0: expect.stringMatching(/^imported-.+-\d+$/),
        level: 'fonds',
        dates: [{ jsonmodel_type: 'date', date_type: 'inclusive', label: 'creation', expression: 'undated' }],
        extents: [
          { jsonmodel_type: 'extent', number: '1', portion: 'whole', extent_type: expect.stringMatching(/collection/) },
        ],
        lang_materials: [
          {
            jsonmodel_type: 'lang_material',
            language_and_script: { jsonmodel_type: 'language_and_script', language: 'und' },
          },
        ],
      }),
    ]);
  });

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

describe('what stands alone in a row', () => {
  it('is told: digests of no file, labels of no identifier, columns beside those that count, unknown cultures', async () => {
    const reading = await readFormat(
      'atom_description_csv',
      sheet([
        {
          legacyId: '1',
          parentId: '',
          title: 'T',
          levelOfDescription: 'Fonds',
          culture: 'xx',
          digitalObjectChecksum: 'c0ffee',
          alternativeIdentifierLabels: 'Barcode',
          eventActors: 'A',
          creators: 'B',
          eventDates: '1900',
          creationDates: '1900',
        },
      ]),
      { isEnumerationValue: (_list, value) => !/^xx$/i.test(value) },
    );
    expect(dropped(reading)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^2 digitalObjectChecksum: the digest of no file.*: c0ffee$/),
        expect.stringMatching(/^2 alternativeIdentifierLabels: the label of no identifier.*: Barcode$/),
        '2 creators: the row has eventActors, which counts: B',
        '2 culture: in no list of codes: xx',
      ]),
    );
    expect(dropped(reading).join('\n')).not.toContain('creationDates');
  });
});

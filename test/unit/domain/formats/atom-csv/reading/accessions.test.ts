// Accessions of AtoM.
import { describe, expect, it } from 'vitest';
import { dropped, lost, marked, sheet, strict } from '../../../../../support/atom-sheet.ts';
import { readFormat } from '../../../../../support/import-reading.ts';

const accessionColumns =
  'accessionNumber alternativeIdentifiers alternativeIdentifierTypes alternativeIdentifierNotes acquisitionDate sourceOfAcquisition locationInformation acquisitionType resourceType title archivalHistory scopeAndContent appraisal physicalCondition receivedExtentUnits processingStatus processingPriority processingNotes physicalObjectName physicalObjectLocation physicalObjectType donorName donorStreetAddress donorCity donorRegion donorCountry donorPostalCode donorTelephone donorFax donorEmail donorNote donorContactPerson creators eventTypes eventDates eventStartDates eventEndDates accessionEventTypes accessionEventDates accessionEventAgents accessionEventNotes culture'.split(
    ' ',
  );

describe('every column', () => {
  it('is in a record or told as left out', async () => {
    const reading = await readFormat('atom_accession_csv', sheet([marked(accessionColumns)]), strict);
    expect(lost(accessionColumns, reading)).toEqual([]);
    expect(dropped(reading).filter((line) => line.includes('no column of this import'))).toEqual([]);
  });
});

describe('accessions', () => {
  it('have their events as lines of the general note, and a donor with contact details', async () => {
    const reading = await readFormat(
      'atom_accession_csv',
      sheet([
        {
          accessionNumber: 'A1',
          acquisitionDate: '2010-01-29',
          accessionEventTypes: 'Physical transfer|Appraisal',
          accessionEventDates: '2010-01-02|',
          accessionEventAgents: '|Jo',
          accessionEventNotes: 'wet|',
          donorName: 'Doe, Jane',
          donorCity: 'Brest',
          donorTelephone: '12',
        },
      ]),
    );
    expect(reading.of('accession')[0]).toMatchObject({
      id_0: 'A1',
      accession_date: '2010-01-29',
      general_note: 'Physical transfer, 2010-01-02: wet\nAppraisal, Jo',
      linked_agents: [{ ref: reading.of('agent_person')[0]?.uri, role: 'source' }],
    });
    expect(reading.of('agent_person')[0]?.['agent_contacts']).toMatchObject([
      { name: 'Doe, Jane', city: 'Brest', telephones: [{ number: '12' }] },
    ]);
  });

  it('without a number, or with a day that is none, are faults', async () => {
    await expect(
      readFormat('atom_accession_csv', 'accessionNumber,acquisitionDate\n,2010-01-01\nA2,soon\n'),
    ).rejects.toMatchObject({
      error: {
        faults: [
          { line: 2, column: 'accessionNumber' },
          { line: 3, column: 'acquisitionDate' },
        ],
      },
    });
  });
});

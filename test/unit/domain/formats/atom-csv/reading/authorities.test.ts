// Authority records of AtoM as agents.
import { describe, expect, it } from 'vitest';
import { dropped, lost, marked, sheet, strict } from '../../../../../support/atom-sheet.ts';
import { readFormat } from '../../../../../support/import-reading.ts';

const authorityColumns =
  'culture typeOfEntity authorizedFormOfName parallelFormsOfName standardizedFormsOfName otherFormsOfName corporateBodyIdentifiers datesOfExistence history places legalStatus functions occupations mandates internalStructures generalContext descriptionIdentifier institutionIdentifier rules status levelOfDetail revisionHistory sources maintenanceNotes'.split(
    ' ',
  );

describe('every column', () => {
  it('is in a record or told as left out', async () => {
    const reading = await readFormat('atom_authority_csv', sheet([marked(authorityColumns)]), strict);
    expect(lost(authorityColumns, reading)).toEqual([]);
    expect(dropped(reading).filter((line) => line.includes('no column of this import'))).toEqual([]);
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

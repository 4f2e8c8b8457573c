// unitdate → dates.
import { describe, expect, test } from 'vitest';
import { displayString } from '#domain/formats/ead/reading/dates.ts';
import { readComponent } from '#test/support/ead-document.ts';
import { isIsoDate } from '#domain/formats/reading/structured-dates.ts';

async function dates(xml: string): Promise<unknown> {
  return (await readComponent(`<did><unittitle>T</unittitle>${xml}</did>`)).component['dates'];
}

describe('readUnitDate', () => {
  test('splits normal, and takes the type from the attribute, else from the end', async () => {
    expect(
      await dates(
        '<unitdate normal="1901/1902-05" era="ce" calendar="gregorian" certainty="approximate">ca. 1901</unitdate>',
      ),
    ).toEqual([
      {
        jsonmodel_type: 'date',
        date_type: 'inclusive',
        label: 'creation',
        expression: 'ca. 1901',
        begin: '1901',
        end: '1902-05',
        calendar: 'gregorian',
        era: 'ce',
        certainty: 'approximate',
      },
    ]);
    expect(await dates('<unitdate type="bulk" normal="1901-02-28">x</unitdate>')).toMatchObject([
      { date_type: 'bulk', begin: '1901-02-28' },
    ]);
    expect(await dates('<unitdate datechar="publication">undated</unitdate>')).toMatchObject([
      { date_type: 'single', label: 'creation', expression: 'undated' },
    ]);
  });

  test('reads equal begin and end as a range, but as a single date where an export of ours wrote them', async () => {
    expect(await dates('<unitdate normal="1901/1901">1901</unitdate>')).toMatchObject([
      { date_type: 'inclusive', begin: '1901', end: '1901' },
    ]);
    const own = await dates('<unitdate normal="1901/1901" datechar="creation">1901</unitdate>');
    expect(own).toEqual([
      { jsonmodel_type: 'date', date_type: 'single', label: 'creation', expression: '1901', begin: '1901' },
    ]);
  });

  test('drops a normal that is no date and an end before the begin, and says so', async () => {
    const { component, report } = await readComponent(`<did><unittitle>T</unittitle><unitdate normal="19xx">A</unitdate>
      <unitdate normal="1905/1901">B</unitdate><unitdate normal="1901-13">C</unitdate><unitdate certainty="maybe">D</unitdate></did>`);
    expect(component['dates']).toMatchObject([
      { expression: 'A' },
      { expression: 'B', begin: '1905', date_type: 'single' },
      { expression: 'C' },
      { expression: 'D' },
    ]);
    expect(report.dropped.map((part) => part.text)).toEqual(['19xx', '1905/1901', '1901-13', 'maybe']);
  });

  test('takes an end without a begin for what it is, with words or without', async () => {
    const { component, report } = await readComponent(
      '<did><unittitle>T</unittitle><unitdate normal="/1850">before 1850</unitdate><unitdate normal="/1860"/><unitdate normal="x/1870"/><unitdate normal="/"/></did>',
    );
    expect(component['dates']).toEqual([
      { jsonmodel_type: 'date', date_type: 'inclusive', label: 'creation', expression: 'before 1850', end: '1850' },
      { jsonmodel_type: 'date', date_type: 'inclusive', label: 'creation', end: '1860' },
      { jsonmodel_type: 'date', date_type: 'inclusive', label: 'creation', end: '1870' },
    ]);
    expect(report.dropped.map((part) => part.text)).toEqual(['x/1870', '/']);
  });

  test('reads days without dashes, and reports a third date', async () => {
    const { component, report } = await readComponent(
      '<did><unittitle>T</unittitle><unitdate normal="19000131/19011231">A</unitdate><unitdate normal="1901/1902/1903">B</unitdate><unitdate normal="19000231">C</unitdate></did>',
    );
    expect(component['dates']).toMatchObject([
      { begin: '1900-01-31', end: '1901-12-31' },
      { begin: '1901', end: '1902' },
      { expression: 'C' },
    ]);
    expect(report.dropped.map((part) => part.text)).toEqual(['1901/1902/1903', '19000231']);
  });

  test('takes circa for approximate', async () => {
    const both = await dates('<unitdate certainty="circa">1900</unitdate><unitdate certainty="ca.">1901</unitdate>');
    expect(both).toMatchObject([{ certainty: 'approximate' }, { certainty: 'approximate' }]);
  });

  test('keeps one of exact duplicates', async () => {
    expect(
      await dates('<unitdate>1901</unitdate><unitdate>1901</unitdate><unitdate type="bulk">1901</unitdate>'),
    ).toHaveLength(2);
  });

  test('stops at an unknown type with the words of the contract', async () => {
    await expect(dates('<unitdate type="span">1</unitdate>')).rejects.toMatchObject({
      code: 'import_failed',
      error: {
        message: 'Invalid date type provided: span; must be one of: ["bulk", "inclusive", "single"].',
        element: 'unitdate',
        line: 4,
      },
    });
  });
});

describe('isIsoDate', () => {
  test('accepts years, months and days that exist', () => {
    expect(['1900', '-0044', '2000-02', '2000-02-29', '1904-12-31'].every(isIsoDate)).toBe(true);
    expect(['1900-02-29', '2000-00', '2000-1', '20000', 'x', '2000-01-32'].some(isIsoDate)).toBe(false);
  });
});

describe('displayString', () => {
  test('joins title and dates', () => {
    expect(displayString('T', [{ expression: 'ca. 1900' }, { begin: '1901', end: '1902', date_type: 'bulk' }])).toBe(
      'T, ca. 1900, bulk: 1901 - 1902',
    );
    expect(displayString(undefined, [{ begin: '1901' }])).toBe('1901');
  });
});

// Dates of EAC-CPF by their words and standard forms: what each end of a range says, and nothing of what is not there.
import { expect, test } from 'vitest';
import { objectOf, objectsOf } from '#domain/json.ts';
import { readFormat } from '#test/support/import-reading.ts';

async function ranges(
  dates: string,
): Promise<{ readonly found: readonly unknown[]; readonly dropped: readonly string[] }> {
  const { of, report } = await readFormat(
    'eac_xml',
    `<eac-cpf xmlns="urn:isbn:1-931666-33-4"><control><recordId>r1</recordId></control><cpfDescription><identity><entityType>person</entityType>
    <nameEntry><part>Roe</part></nameEntry></identity><description><existDates>${dates}</existDates></description></cpfDescription></eac-cpf>`,
    {},
  );
  const [agent] = of('agent_person');
  const found = objectsOf(agent, 'dates_of_existence').map((date) => objectOf(date, 'structured_date_range'));
  return { found, dropped: report.dropped.map(({ text }) => text) };
}

const jsonmodel_type = 'structured_date_range';

test('words and standard forms of both ends', async () => {
  const range =
    '<dateRange><fromDate standardDate="1870-01-02">2 January 1870</fromDate><toDate notAfter="1955">by 1955</toDate></dateRange>';
  expect((await ranges(range)).found).toEqual([
    {
      jsonmodel_type,
      begin_date_expression: '2 January 1870',
      begin_date_standardized: '1870-01-02',
      begin_date_standardized_type: 'standard',
      end_date_expression: 'by 1955',
      end_date_standardized: '1955',
      end_date_standardized_type: 'not_after',
    },
  ]);
});

test('an end without words has its standard form for them, one without a standard form its words alone', async () => {
  const range = '<dateRange><fromDate notBefore="1870"/><toDate>long ago</toDate></dateRange>';
  expect((await ranges(range)).found).toEqual([
    {
      jsonmodel_type,
      begin_date_expression: '1870',
      begin_date_standardized: '1870',
      begin_date_standardized_type: 'not_before',
      end_date_expression: 'long ago',
    },
  ]);
});

test('of several standard forms the date itself is taken, the bounds are told', async () => {
  const range = '<dateRange><fromDate notAfter="1872" notBefore="1869" standardDate="1870">x</fromDate></dateRange>';
  const { found, dropped } = await ranges(range);
  expect(found).toMatchObject([{ begin_date_standardized: '1870', begin_date_standardized_type: 'standard' }]);
  expect(dropped).toEqual(['1869', '1872']);
});

test('an end has its standard form where the begin has words alone', async () => {
  const range =
    '<dateRange><fromDate>ca. 1850</fromDate><toDate standardDate="1910-11-20">20 Nov. 1910</toDate></dateRange>';
  expect(await ranges(range)).toEqual({
    found: [
      {
        jsonmodel_type,
        begin_date_expression: 'ca. 1850',
        end_date_expression: '20 Nov. 1910',
        end_date_standardized: '1910-11-20',
        end_date_standardized_type: 'standard',
      },
    ],
    dropped: [],
  });
});

test('standard forms that are no dates are told, or are the words where there are no others', async () => {
  const range =
    '<dateRange><fromDate standardDate="18500101" notBefore="1849">c. 1850</fromDate><toDate standardDate="1910-02-30"/></dateRange>';
  expect(await ranges(range)).toMatchObject({
    found: [{ begin_date_standardized: '1849', end_date_expression: '1910-02-30' }],
    dropped: ['18500101'],
  });
  const turned =
    '<dateRange><fromDate standardDate="1910">1910</fromDate><toDate standardDate="1850">then</toDate></dateRange>';
  expect(await ranges(turned)).toMatchObject({ found: [{ end_date_expression: 'then' }], dropped: ['1850'] });
});

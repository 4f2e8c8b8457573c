// Import jobs of MARCXML and EAC-CPF through a real worker with real threads: twice, with a fault, hostile, and only validated.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { eadDocument } from '../../../support/ead-document.ts';
import type { EndedImport, ImportJobs } from '../../../support/import-job.ts';
import { openImportJobs } from '../../../support/import-job.ts';
import { marcField as field, marcRecord as marc } from '../../../support/marc-document.ts';

let imports: ImportJobs;
beforeAll(async () => {
  imports = await openImportJobs();
});
afterAll(() => imports[Symbol.asyncDispose]());

const run = async (import_type: string, files: readonly string[], more: JsonObject = {}): Promise<EndedImport> =>
  imports.runJob(files, { import_type, ...more });

const bibliographic = (number: string): string =>
  marc(
    `${field('245', '1', '0', { a: `Papers ${number}`, f: '1900' })}${field('099', ' ', ' ', { a: number })}${field('300', ' ', ' ', { a: '3 Linear Feet' })}${field('100', '1', ' ', { a: 'Roe, Ann' })}${field('650', ' ', '0', { a: 'Maps' })}${field('773', ' ', ' ', { t: 'Host' })}`,
  );
const authority = marc(
  `${field('110', '2', ' ', { a: 'Society' })}${field('410', '2', ' ', { a: 'Soc.' })}${field('510', '2', ' ', { w: 'a', a: 'Club' })}${field('372', ' ', ' ', { a: 'Maps' })}`,
  { leader: '00000nz  a2200000n  4500', number: 'n1', fixed: '850624n| azannaabn          |a aaa      ' },
);
const eac =
  '<eac-cpf xmlns="urn:isbn:1-931666-33-4"><control><recordId>r1</recordId></control><cpfDescription><identity><entityType>person</entityType><nameEntry><part>Doe, John</part></nameEntry></identity></cpfDescription></eac-cpf>';

test('a job of sheets names file and row of each bad record, behind rows that cannot be read', async () => {
  const head = 'location_building,location_floor,location_barcode\n';
  const ended = await run('location_csv', [`${head},1,\n\nMain,2,b1\n`, `${head}\nMain,3,\n`], {
    filenames: ['first.csv', 'second.csv'],
  });
  expect(ended.failure).toMatchObject({ code: 'import_failed', error: { line: 2, element: 'location_building' } });
  expect(ended.log).toMatch(
    /Bad records: 1\nFile: second\.csv\nLine: 3\nRecord 2: location .*\n\tcoded_errors : location_fields_error\n/,
  );
});

describe('a MARCXML job', () => {
  test('makes resources, takes units by their labels, and says what it left out', async () => {
    const ended = await run('marcxml', [bibliographic('M1')]);
    expect(ended.failure, ended.log).toBeNull();
    expect(ended.value).toMatchObject({ created: { resource: 1, agent_person: 1, subject: 1 } });
    expect(ended.log).toContain('marcxml: finding-aid-0.xml');
    expect(ended.log).toMatch(/Left out: 1\n\tline \d+, datafield 773: the field is not imported: \$t Host/);
    const resource = await imports.read(ended.records.find((uri) => uri.includes('/resources/')) ?? '');
    expect(resource).toMatchObject({ title: 'Papers M1', extents: [{ number: '3', extent_type: 'linear_feet' }] });
  });

  test('of another record reuses its headings, of the same record is refused and leaves nothing', async () => {
    expect((await run('marcxml', [bibliographic('M2')])).value).toMatchObject({ reused: 2, created: { resource: 1 } });
    const before = await imports.contents();
    const again = await run('marcxml', [bibliographic('M3'), bibliographic('M2')]);
    expect(again.failure).toMatchObject({ code: 'import_failed' });
    expect(again.log).toMatch(/The following errors were found:\n\tid_0 : /);
    expect(await imports.contents()).toEqual(before);
  });

  test('makes accessions, agents of authorities, and headings alone', async () => {
    const accession = await run('marcxml_accession', [bibliographic('M4')]);
    expect(accession.value, accession.log).toMatchObject({ created: { accession: 1 }, reused: 2 });
    const agents = await run('marcxml_auth_agent', [authority], { import_subjects: '1', import_events: '1' });
    expect(agents.value, agents.log).toMatchObject({ created: { agent_corporate_entity: 2, subject: 1 } });
    expect((await run('marcxml_subjects_and_agents', [bibliographic('M5')])).value).toMatchObject({
      created: {},
      reused: 2,
    });
  });

  test('of a file that is cut off or hostile fails with line and reason, and leaves nothing', async () => {
    const before = await imports.contents();
    for (const file of [
      bibliographic('M6').slice(0, 300),
      '<record>'.repeat(400),
      `<!DOCTYPE record [<!ENTITY x SYSTEM "file:///etc/passwd">]>${bibliographic('M7')
        .replace(/^<\?xml[^>]*>/, '')
        .replace('Maps', '&x;')}`,
      marc(field('500', ' ', ' ', { a: 'No title' })),
    ]) {
      const ended = await run('marcxml', [file]);
      expect(ended.failure).toMatchObject({ code: 'import_failed' });
      expect(ended.log).toMatch(/\tline : \d+/);
      expect(ended.log).not.toContain('root:');
    }
    expect(await imports.contents()).toEqual(before);
  });

  test('of an empty collection completes, and says that there was nothing', async () => {
    const ended = await run('marcxml', ['<collection/>']);
    expect(ended.failure).toBeNull();
    expect(ended.log).toContain('No records were found in the input file!');
  });
});

test.each([
  ['marcxml_auth_agent', marc(field('150', ' ', '0', { a: 'Maps' })), 'not of a person, family or corporate body'],
  ['marcxml_subjects_and_agents', marc(field('245', '0', '0', { a: 'Maps' })), 'no record names an agent or subject'],
  ['eac_xml', eac.replace('>person<', '>ship<'), 'neither a person, a family nor a corporate body'],
])(
  'a job of %s that makes nothing fails, and says why; beside others it is a line of the log',
  async (type, file, why) => {
    const ended = await run(type, [file]);
    expect(ended.failure).toMatchObject({ code: 'import_failed', error: expect.stringContaining(why) });
    expect(ended.log).toContain('No records were found in the input file!');
    expect(ended.log).toContain(`Nothing was made of the file: `);
    const good =
      type === 'eac_xml'
        ? eac.replace('John', 'Joan')
        : type === 'marcxml_auth_agent'
          ? authority
          : bibliographic('M8');
    const both = await run(type, [file, good]);
    expect(both.failure, both.log).toBeNull();
    expect(both.log).toContain('Nothing was made of the file: ');
  },
);

describe('an EAC-CPF job', () => {
  test('makes agents once', async () => {
    expect((await run('eac_xml', [eac])).value).toMatchObject({ created: { agent_person: 1 } });
    expect((await run('eac_xml', [eac])).value).toMatchObject({ created: {}, reused: 1 });
  });
});

describe('a job with only_validate', () => {
  test.each([
    ['marcxml', bibliographic('V1')],
    ['eac_xml', eac.replace('John', 'Jane')],
    ['ead_xml', eadDocument({ did: '<unitid>V2</unitid>' })],
  ])('of %s reports, and stores nothing', async (type, file) => {
    const before = await imports.contents();
    const ended = await run(type, [file], { only_validate: '1' });
    expect(ended.failure, ended.log).toBeNull();
    expect(ended.value).toMatchObject({ only_validate: true, total: expect.any(Number) });
    expect(ended.log).toContain('Only validated: the files can be imported; nothing is stored.');
    expect(ended.log).not.toContain('Created:');
    expect(ended.records).toEqual([]);
    expect(await imports.contents()).toEqual(before);
  });

  test('finds what a real import would find', async () => {
    expect((await run('marcxml', [bibliographic('M1')], { only_validate: '1' })).failure).toMatchObject({
      code: 'import_failed',
    });
    expect((await run('marcxml', [bibliographic('V1')])).failure).toBeNull();
  });
});

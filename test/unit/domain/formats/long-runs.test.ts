// Texts that make careless pattern matching look at the same characters again and again: a run of one sort of character in every place of every
// format costs what its length costs.
import { expect, test } from 'vitest';
import { cpuCost } from '#test/support/cpu-cost.ts';
import { amount } from '#test/support/long.ts';
import { readFormat } from '#test/support/import-reading.ts';
import { eadDocument } from '#test/support/ead-document.ts';
import { marcField, marcRecord } from '#test/support/marc-document.ts';

const runs = [
  ',',
  '(',
  ')',
  '1',
  '.',
  '-',
  '[',
  ';',
  '1,',
  'a(',
  ' --',
  '\u2028',
  '1\u2028',
  '\u00a0',
  '\u00a0,',
  '/',
  ':',
  'a',
  'A',
  '19',
  '1/',
  '1 ',
  ' <!---->',
  '&#10;<!---->',
  '<![CDATA[ ]]>',
];
const characters = amount(20_000, 60_000);
const long = (run: string): string => `x${run.repeat(characters / run.length)}x`;
const tags = [
  '100',
  '110',
  '111',
  '245',
  '260',
  '300',
  '500',
  '520',
  '546',
  '561',
  '600',
  '650',
  '651',
  '655',
  '700',
  '710',
  '720',
  '856',
];
const marc = (run: string): string =>
  marcRecord(
    tags
      .map((tag) =>
        marcField(
          tag,
          '1',
          '3',
          Object.fromEntries(
            [...'abcdfgnqtvxyz'].map((code) => [code, code === 'a' || tag === '100' ? long(run) : 'x']),
          ),
        ),
      )
      .join(''),
  );
const ead = (run: string): string =>
  eadDocument({
    header: `<eadid>${long(run)}</eadid><filedesc><titlestmt><titleproper>${long(run)}</titleproper><author>${long(run)}</author></titlestmt></filedesc><profiledesc><langusage>${long(run)}</langusage></profiledesc>`,
    did: `<unitid>L1</unitid><unittitle>${long(run)}<unitdate>${long(run)}</unitdate></unittitle><unitdate normal="1900">${long(run)}</unitdate><physdesc><extent>${long(run)}</extent><extent>1${long(run).slice(1)}</extent><extent>3 ${long(run)})</extent></physdesc><physdesc>${long(run)}</physdesc>
    <origination><persname>${long(run)}</persname></origination><langmaterial>${long(run)}</langmaterial><container type="box" label="${run.startsWith(' <') || run.startsWith('<') ? 'x' : long(run)}">${long(run)}</container>`,
    notes: `<scopecontent><head>${long(run)}</head><p>${long(run)}</p><p>b<lb/>${long(run)}</p></scopecontent><controlaccess><subject>${long(run)}</subject><persname role="x">${long(run)}</persname></controlaccess>`,
  });
const eac = (
  run: string,
): string => `<eac-cpf xmlns="urn:isbn:1-931666-33-4"><control><recordId>${long(run)}</recordId></control><cpfDescription><identity><entityType>person</entityType><nameEntry><part>${long(run)}</part></nameEntry></identity>
  <description><existDates><date>${long(run)}</date></existDates><biogHist><p>${long(run)}</p></biogHist></description><relations><cpfRelation><relationEntry>${long(run)}</relationEntry></cpfRelation></relations></cpfDescription></eac-cpf>`;

test.each<[string, (run: string) => string]>([
  ['marcxml', marc],
  ['marcxml_accession', marc],
  ['marcxml_subjects_and_agents', marc],
  ['marcxml_auth_agent', (run) => marc(run).replace('00000npca 22000001a', '00000nz  a2200000n ')],
  ['ead_xml', ead],
  ['eac_xml', eac],
])('%s reads long runs of any character for what plain words of that length cost', async (type, document) => {
  // What is made of them is nobody's concern here, nor whether they are refused.
  const cost = (run: string, runs: number): Promise<number> =>
    cpuCost(() => readFormat(type, Buffer.from(document(run))).catch(() => null), runs);
  const plain = await cost('plain words ', 3);
  const slow: string[] = [];
  for (const run of runs) {
    const times = (await cost(run, 1)) / plain;
    // One such text of 60,000 characters took ten seconds and more: some hundred times as much, and more the longer it is.
    if (times > amount(20, 60)) slow.push(`${JSON.stringify(run)}: ${times} times`);
  }
  expect(slow).toEqual([]);
});

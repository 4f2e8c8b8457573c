// A folder imported as a whole: what its files are, identifiers that clash, one run after another, and the report.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { adminPassword, startTestApi } from '#test/support/api.ts';
import { isLong } from '#test/support/long.ts';
import { readArchive, realDataFolder } from '#test/support/real-data.ts';
import { connect } from '../../../../../apps/cli/client.ts';
import { findClashes } from '../../../../../apps/cli/import/folder/clashes.ts';
import { takeInventory } from '../../../../../apps/cli/import/folder/inventory.ts';
import { openState } from '../../../../../apps/cli/import/folder/state.ts';
import { runProgram } from '../../../../../apps/cli/program.ts';
import { findingAid } from '../../archive.ts';
import type { Run, RunOptions } from '../../run-cli.ts';
import { runCli } from '../../run-cli.ts';

let api: TestApi;
const base = mkdtempSync(join(tmpdir(), 'muniment-folder-'));
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  rmSync(base, { recursive: true, force: true });
});

const put = (path: string, content: string | Uint8Array): void => {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), content);
};
const env = (): { readonly [name: string]: string } => ({ MUNIMENT_URL: api.url, MUNIMENT_PASSWORD: adminPassword });
/** As a process of its own, that can be killed. */
const runApart = (args: readonly string[], options: RunOptions): Promise<Run> =>
  runCli(['import', ...args], { cwd: base, ...options, env: env() });
/** In this process: to begin one takes longer than most of what it does here. */
async function run(args: readonly string[]): Promise<Run> {
  const written = { stdout: '', stderr: '' };
  let code = 0;
  const streamInto = (name: keyof typeof written): NodeJS.WriteStream =>
    Object.assign(
      new Writable({
        write: (piece: Buffer, _encoding, done) => {
          written[name] += piece.toString();
          done();
        },
      }),
      { isTTY: false },
    ) as unknown as NodeJS.WriteStream;
  await runProgram(['import', ...args], {
    streams: { stdout: streamInto('stdout'), stderr: streamInto('stderr') },
    stdin: process.stdin,
    env: env(),
    cwd: base,
    signal: new AbortController().signal,
    end: (exitCode) => {
      code = exitCode;
    },
  });
  return { code, ...written };
}
const json = async (args: readonly string[]): Promise<{ readonly code: number | null; readonly outcome: any }> => {
  const { code, stdout } = await run([...args, '--json']);
  return { code, outcome: JSON.parse(stdout) };
};
const statusOf = (outcome: any): unknown =>
  Object.fromEntries(outcome.files.map(({ file, status }: any) => [file, status]));

const marc = (number: string): string =>
  `<collection xmlns="http://www.loc.gov/MARC21/slim"><record><leader>00000npcaa2200000 a 4500</leader><datafield tag="099" ind1=" " ind2=" "><subfield code="a">${number}</subfield></datafield><datafield tag="245" ind1="1" ind2="0"><subfield code="a">Papers ${number}</subfield><subfield code="f">1900</subfield></datafield></record></collection>`;
const eac = (name: string): string =>
  `<eac-cpf xmlns="urn:isbn:1-931666-33-4"><control><recordId>${name}</recordId></control><cpfDescription><identity><entityType>person</entityType><nameEntry><part>${name}</part></nameEntry></identity></cpfDescription></eac-cpf>`;

describe('a report that cannot be written', () => {
  it('is told before anything is imported, and leaves nothing beside it', async () => {
    const repoId = await api.repository('NOREPORT');
    put('noreport/one.xml', findingAid('N-1'));
    const into = ['noreport', '--repository', 'NOREPORT', '--report'];
    expect(await run([...into, 'nowhere/report.html'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nowhere/report.html cannot be used: there is no such file or folder'),
    });
    expect(await run([...into, 'noreport'])).toMatchObject({ code: 2, stderr: expect.stringContaining('is a folder') });
    expect((await api.get(`/repositories/${repoId}/jobs?all_ids=true`)).json).toEqual([]);
    put('nothing/.hidden', '');
    expect((await run(['nothing', ...into.slice(1), 'nothing.html'])).code).toBe(2);
    expect(readdirSync(base).filter((name) => name.startsWith('nothing.html'))).toEqual([]);
  });

  it('takes the place of its file alone, where a link leads to; what is called like it stays', async () => {
    put('plain/readme.txt', 'hello');
    symlinkSync('../noreport/one.xml', join(base, 'plain/linked.xml'));
    put('plain.html.new', 'mine');
    put('kept/report.html', 'before');
    symlinkSync('kept/report.html', join(base, 'plain.html'));
    const { code, outcome } = await json(['plain', '--repository', 'NOREPORT', '--report', 'plain.html']);
    expect([code, outcome.passedOver.find(({ file }: any) => file === 'linked.xml')]).toEqual([
      1,
      { file: 'linked.xml', why: 'a link: import what it leads to', isWanted: true },
    ]);
    expect(lstatSync(join(base, 'plain.html')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(base, 'kept/report.html'), 'utf8')).toMatch(/^<!doctype html>/i);
    expect(readFileSync(join(base, 'plain.html.new'), 'utf8')).toBe('mine');
  });
});

describe('a folder of several formats', () => {
  it('is imported in one run, and another run takes only what is new', async () => {
    const repoId = await api.repository('MIXED');
    put('mixed/aids/one.xml', findingAid('F-1'));
    put(
      'mixed/aids/deep/two.xml',
      findingAid('F-2')
        .replace('</dsc>', '</dsc><mystery>Nobody has <b>this</b> & that</mystery>')
        .replace('& that', ''),
    );
    put('mixed/marc/three.xml', marc('F-3'));
    put('mixed/people/anna.xml', eac('Harbour, Anna'));
    put('mixed/people/bert.xml', eac('Harbour, Bert'));
    put('mixed/accessions.csv', 'accession_title,accession_number_1,accession_date\nGift,F-4,2020-01-02\n');
    put('mixed/places.csv', 'location_building,location_barcode\nMain <b>building</b>,77\n');
    put('mixed/readme.txt', 'hello');
    put('mixed/.hidden/x.xml', '<nothing/>');
    const first = await json(['mixed', '--repository', 'MIXED', '--report', 'mixed.html']);
    expect({ code: first.code, ...first.outcome.files.find(({ faults }: any) => faults.length > 0) }).toEqual({
      code: 0,
    });
    expect(statusOf(first.outcome)).toEqual({
      'accessions.csv': 'imported',
      'aids/deep/two.xml': 'imported',
      'aids/one.xml': 'imported',
      'marc/three.xml': 'imported',
      'people/anna.xml': 'imported',
      'people/bert.xml': 'imported',
      'places.csv': 'imported',
    });
    const of = (file: string): any => first.outcome.files.find((each: any) => each.file === file);
    expect(of('people/anna.xml').job).toBe(of('people/bert.xml').job);
    expect(of('people/anna.xml').created).toEqual({ agent_person: 1 });
    expect((await api.get(of('people/bert.xml').links[0])).json.title).toBe('Harbour, Bert');
    expect((await api.get(of('aids/one.xml').links[0])).json).toMatchObject({
      jsonmodel_type: 'resource',
      id_0: 'F-1',
    });
    expect(of('aids/deep/two.xml')).toMatchObject({
      leftOutTotal: 1,
      leftOut: [expect.stringMatching(/^line \d+, mystery: .*Nobody has this/)],
    });
    expect(of('aids/one.xml').leftOutTotal).toBe(0);
    expect(first.outcome.passedOver).toEqual([
      { file: 'readme.txt', why: 'no format of the service', isWanted: false },
    ]);
    const page = readFileSync(join(base, 'mixed.html'), 'utf8');
    expect(page).toContain(`<a href="${api.url}${of('aids/one.xml').links[0]}">`);
    expect(page).toMatch(/mystery: .*Nobody has this/);
    expect(page).not.toContain('<script');
    expect(page).not.toContain('<b>');

    put('mixed/aids/new.xml', findingAid('F-5'));
    const second = await json(['mixed', '--repository', 'MIXED', '--report', 'mixed.html']);
    expect(second.code).toBe(0);
    expect(second.outcome.files.filter(({ isEarlier }: any) => isEarlier !== true)).toMatchObject([
      { file: 'aids/new.xml', status: 'imported' },
    ]);
    expect((await api.get(`/repositories/${repoId}/resources?all_ids=true`)).json).toHaveLength(4);
    expect(readFileSync(join(base, 'mixed.html'), 'utf8')).toContain('earlier');

    // A file that changed is the same resource again: told, not imported.
    put('mixed/aids/new.xml', findingAid('F-5').replace('Plans', 'Drawings'));
    const third = await json(['mixed', '--repository', 'MIXED', '--report', 'mixed.html']);
    expect([third.code, third.outcome.clashes]).toEqual([
      1,
      [
        expect.objectContaining({
          rule: 'resource.identifier',
          value: 'F-5',
          files: ['aids/new.xml'],
          isInService: true,
        }),
        expect.objectContaining({ rule: 'resource.ead_id', value: 'F-5' }),
      ],
    ]);
  });

  it('tells of all identifiers that clash before anything is imported, and leaves such files behind where asked', async () => {
    const repoId = await api.repository('CLASH');
    const taken = await api.create(`/repositories/${repoId}/accessions`, {
      title: 'There',
      id_0: 'A',
      id_1: '7',
      accession_date: '2020-01-01',
    });
    put('clash/a.xml', findingAid('C-1'));
    put('clash/b.xml', marc('C-1'));
    put('clash/c.csv', 'accession_title,accession_number_1,accession_number_2,accession_date\nGift,A,7,2020-01-02\n');
    put('clash/d.xml', findingAid('C-2'));
    put('clash/e.xml', '<html/>');
    const { code, outcome } = await json(['clash', '--repository', 'CLASH', '--report', 'clash.html']);
    expect(code).toBe(1);
    expect(outcome.clashes).toEqual([
      {
        rule: 'resource.identifier',
        value: 'C-1',
        repository: `/repositories/${repoId}`,
        files: ['a.xml', 'b.xml'],
        record: null,
        isInService: false,
      },
      {
        rule: 'accession.identifier',
        value: 'A-7',
        repository: `/repositories/${repoId}`,
        files: ['c.csv'],
        record: taken,
        isInService: true,
      },
    ]);
    expect(statusOf(outcome)).toEqual({
      'a.xml': 'clashing',
      'b.xml': 'clashing',
      'c.csv': 'clashing',
      'd.xml': 'waiting',
    });
    expect(outcome.passedOver).toMatchObject([{ file: 'e.xml', isWanted: true }]);
    expect((await api.get(`/repositories/${repoId}/resources?all_ids=true`)).json).toEqual([]);
    expect(readFileSync(join(base, 'clash.html'), 'utf8')).toContain('C-1');
    const rest = await run(['clash', '--repository', 'CLASH', '--report', 'clash.html', '--leave-clashing']);
    expect([rest.code, rest.stderr]).toEqual([1, expect.stringContaining('resource identifier C-1: a.xml, b.xml')]);
    expect(rest.stdout).toContain('1 of 4 files imported, 0 failed, 3 with identifiers that clash (2)');
    expect((await api.get(`/repositories/${repoId}/resources?all_ids=true`)).json).toHaveLength(1);
  });

  it('tells the faults of bad files by line, and imports the good ones beside them', async () => {
    const repoId = await api.repository('FAULTS');
    put('faults/good.xml', eac('Good, Person'));
    put('faults/broken.xml', `${eac('Broken, Person').replace('</control>', '\n</kontrol>')}`);
    put(
      'faults/sheet.csv',
      'accession_title,accession_number_1,accession_accession_date\nGift,S-1,2020-01-02\nGift,S-2,never\n',
    );
    const { code, outcome } = await json(['faults', '--repository', 'FAULTS', '--report', 'faults.html']);
    expect([code, statusOf(outcome)]).toEqual([
      1,
      { 'broken.xml': 'failed', 'good.xml': 'imported', 'sheet.csv': 'failed' },
    ]);
    const faults = Object.fromEntries(outcome.files.map((each: any) => [each.file, each.faults]));
    expect(faults['broken.xml']).toEqual([{ line: 2, text: expect.stringContaining('well-formed') }]);
    expect(faults['sheet.csv']).toEqual([{ line: 3, text: expect.stringMatching(/accession_accession_date.*never/) }]);
    expect((await api.get(`/repositories/${repoId}/accessions?all_ids=true`)).json).toEqual([]);
    expect(readFileSync(join(base, 'faults.html'), 'utf8')).toMatch(/<td>3<\/td><td>.*never/);
    // Mended, it is imported by the next run; what is in already is not asked for again.
    put(
      'faults/sheet.csv',
      'accession_title,accession_number_1,accession_accession_date\nGift,S-1,2020-01-02\nGift,S-2,2020-05-06\n',
    );
    put('faults/broken.xml', eac('Mended, Person'));
    expect((await json(['faults', '--repository', 'FAULTS', '--report', 'faults.html'])).code).toBe(0);
  });

  it('goes on where a run was killed, and stores nothing twice', async () => {
    const repoId = await api.repository('KILLED');
    for (let index = 0; index < 6; index += 1)
      put(
        `killed/${index}.xml`,
        findingAid(`K-${index}`).replace('<dsc>', `${`<odd><p>${'long '.repeat(12_000)}</p></odd>`.repeat(4)}<dsc>`),
      );
    const killed = await runApart(['killed', '--repository', 'KILLED', '--report', 'killed.html'], {
      onStderr: (text, child) => {
        if (text.includes('0.xml: ')) child.kill('SIGKILL');
      },
    });
    expect([killed.code, existsSync(join(base, 'killed.html'))]).toEqual([null, false]);
    const { code, outcome } = await json(['killed', '--repository', 'KILLED', '--report', 'killed.html']);
    expect([code, outcome.clashes]).toEqual([0, []]);
    expect(outcome.files.filter(({ isEarlier }: any) => isEarlier === true).length).toBeGreaterThan(0);
    expect((await api.get(`/repositories/${repoId}/resources?all_ids=true`)).json).toHaveLength(6);
  });

  it('finds the job of files that arrived though the run was killed before it had the answer', async () => {
    const repoId = await api.repository('UNSURE');
    put('unsure/a.xml', findingAid('U-1'));
    put('unsure/b.xml', findingAid('U-2'));
    const { files } = await takeInventory(join(base, 'unsure'), new Set(), () => undefined);
    const state = openState(join(base, 'unsure/.muniment-import.ndjson'), api.url);
    const named = (name: string) =>
      files.filter((file) => file.name === name).map(({ sha256 }) => ({ file: name, sha256 }));
    const repository = `/repositories/${repoId}`;
    for (const name of ['a.xml', 'b.xml']) state.sending({ repository, type: 'ead_xml', files: named(name) });
    // The one arrived, the other did not.
    expect((await run(['unsure/a.xml', '--repository', 'UNSURE'])).code).toBe(0);
    const { code, outcome } = await json(['unsure', '--repository', 'UNSURE', '--report', 'unsure.html']);
    expect([code, outcome.clashes]).toEqual([0, []]);
    expect(outcome.files.map(({ file, isEarlier }: any) => [file, isEarlier])).toEqual([
      ['a.xml', true],
      ['b.xml', undefined],
    ]);
    expect((await api.get(`${repository}/resources?all_ids=true`)).json).toHaveLength(2);
  });

  it('validates without storing, and takes repositories from the names of folders', async () => {
    const [one, two] = [await api.repository('ONE'), await api.repository('TWO')];
    put('by-folder/one/a.xml', findingAid('B-1'));
    put('by-folder/TWO/b.xml', findingAid('B-1'));
    const args = ['by-folder', '--repositories-by-folder', '--report', 'by-folder.html'];
    const looked = await json([...args, '--only-validate']);
    expect([looked.code, statusOf(looked.outcome)]).toEqual([0, { 'one/a.xml': 'valid', 'TWO/b.xml': 'valid' }]);
    expect((await api.get(`/repositories/${one}/resources?all_ids=true`)).json).toEqual([]);
    put('by-folder/three/c.xml', findingAid('B-1'));
    const { code, outcome } = await json(args);
    expect([code, outcome.passedOver]).toEqual([
      1,
      [{ file: 'three/c.xml', why: 'there is no repository three', isWanted: true }],
    ]);
    expect((await api.get(`/repositories/${one}/resources?all_ids=true`)).json).toHaveLength(1);
    expect((await api.get(`/repositories/${two}/resources?all_ids=true`)).json).toHaveLength(1);
  });

  it('reads identifiers past files that cannot be read, and says what is no file of a format', async () => {
    const repository = `/repositories/${await api.repository('BROKEN')}`;
    put('half/a.csv', 'accession_title,accession_number_1\nGift,H-1\n');
    put('half/b.csv', 'accession_title,accession_number_1\nGift,H-1\n');
    put('half/bad.xml', '<ead><archdesc>');
    put('half/c.json', '[]');
    put('half/d.mrc', '00714cam a2200205 a 4500001001300000');
    const { files, passedOver } = await takeInventory(join(base, 'half'), new Set(), () => undefined);
    expect(passedOver.map(({ file, why }) => [file, why])).toEqual([
      ['c.json', 'an array of records: import it by itself'],
      ['d.mrc', 'MARC 21 in its binary form: turn it into MARCXML'],
    ]);
    const client = connect(
      { url: api.url, user: 'admin', password: adminPassword, session: undefined, passwordFrom: 'the test' },
      new AbortController().signal,
    );
    const clashes = await findClashes(
      client,
      files.map((file) => ({ file, repository })),
      () => undefined,
    );
    await client.close();
    expect(clashes).toMatchObject([
      { rule: 'accession.identifier', value: 'H-1', files: ['a.csv', 'b.csv'], isInService: false },
    ]);
  });

  it('refuses what makes no sense', async () => {
    put('empty/.x', '');
    for (const args of [
      ['empty', '--repository', 'ONE'],
      ['no-such-folder', '--repository', 'ONE'],
      ['mixed', 'clash', '--repository', 'ONE'],
      ['mixed', '--repository', 'ONE', '--type', 'eac_xml'],
      ['mixed', '--repository', 'ONE', '--repositories-by-folder'],
    ])
      expect((await run([...args, '--report', 'x.html'])).code).toBe(2);
  });
});

const real = realDataFolder();
// What a run makes of files of each kind, good and bad, is above; of real files other tests import many more.
describe.runIf(isLong && real !== undefined)('a folder of real files', () => {
  it('accounts for every file', async () => {
    await api.repository('REAL');
    const small = ['ead', 'marcxml', 'eac'].flatMap((kind) =>
      readArchive(real ?? '', `${kind}.tar.gz`)
        .filter(({ bytes }) => bytes.length < 40_000)
        .slice(0, 8)
        .map(({ name, bytes }) => ({ name: `real/${kind}/${name}`, bytes })),
    );
    for (const { name, bytes } of small) put(name, bytes);
    const { code, outcome } = await json(['real', '--repository', 'REAL', '--report', 'real.html', '--leave-clashing']);
    expect(outcome.files.length + outcome.passedOver.length).toBe(small.length);
    expect(outcome.stopped).toBeNull();
    for (const file of outcome.files) {
      expect(['imported', 'failed', 'clashing']).toContain(file.status);
      if (file.status === 'failed') expect(file.faults.length).toBeGreaterThan(0);
      if (file.status === 'imported') expect(file.read).not.toBeNull();
    }
    expect(outcome.files.filter(({ status }: any) => status === 'imported').length).toBeGreaterThan(15);
    expect(code).toBe(outcome.ok ? 0 : 1);
  });
});

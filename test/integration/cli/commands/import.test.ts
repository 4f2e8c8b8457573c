// What an import tells of each file: to people, and to scripts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { adminPassword, startTestApi } from '#test/support/api.ts';
import { batchOf, findingAid } from '../archive.ts';
import { throughProxy } from '../foreign-server.ts';
import type { Run, RunOptions } from '../run-cli.ts';
import { filesForTests, runCli } from '../run-cli.ts';

let api: TestApi;
let repoId: number;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await api.repository('MSS');
});
afterAll(() => api[Symbol.asyncDispose]());
const files = filesForTests();
const run = (args: readonly string[], options: RunOptions = {}): Promise<Run> =>
  runCli(args, { ...options, env: { MUNIMENT_URL: api.url, MUNIMENT_PASSWORD: adminPassword } });

describe('what is told of each file', () => {
  /** The same with the numbers of every run. */
  const timeless = (text: string): string =>
    text
      .replaceAll(/\d+\.\d s/g, 'N s')
      .replaceAll(/, [\d,]+ a second/g, '')
      .replaceAll(`${files.folder}/`, '');
  /** Which phases are told depends on how quick they are: they are lines of few words, indented by two, without a number. */
  const withoutPhases = (text: string): readonly string[] =>
    timeless(text)
      .split('\n')
      .filter((line) => !/^ {2}[A-Z][A-Za-z ,]*(: cycle \d+)?$/.test(line));

  it('is its size, its kinds and its roots; siblings keep the order of the file where that is told', async () => {
    const two = files.put(
      'both.json',
      JSON.stringify([
        ...JSON.parse(batchOf('first root')),
        ...JSON.parse(batchOf('second root').replaceAll('import_', 'import_z')),
      ]),
    );
    const told = await run(['import', two, '--repository', 'mss']);
    const roots = told.stdout.trimEnd().split('\n');
    expect([told.code, roots, withoutPhases(told.stderr)]).toEqual([
      0,
      Array.from({ length: 2 }, () => expect.stringMatching(/^\/repositories\/\d+\/resources\/\d+$/)),
      [
        expect.stringMatching(/^both\.json \([\d.]+ kB\)$/),
        '  imported into MSS: 2 resources, 10 archival objects',
        '  12 records in N s',
        '',
      ],
    ]);
    const ordered = files.put('ordered.json', batchOf('ordered'));
    const { asked } = await throughProxy(api, ['import', ordered, '--repository', String(repoId), '--migration']);
    expect(asked).toEqual([
      'GET /repositories',
      `POST /repositories/${repoId}/batch_imports?migration=true ${batchOf('ordered')}`,
    ]);
  });

  it('is what is wrong with each record, and nothing of it is stored', async () => {
    const wrong = files.put(
      'wrong.json',
      JSON.stringify([
        { jsonmodel_type: 'accession', uri: '/repositories/1/accessions/import_a', title: 'Papers' },
        { jsonmodel_type: 'subject', uri: '/subjects/import_b', source: 'nowhere' },
      ]),
    );
    const { code, stdout, stderr } = await run(['import', wrong, '--repository', 'MSS']);
    const lines = withoutPhases(stderr);
    expect([code, stdout, lines.slice(0, 2)]).toEqual([
      1,
      '',
      [expect.stringMatching(/^wrong\.json \(/), '  failed: nothing of this file is stored'],
    ]);
    expect(lines.some((line) => /^ {4}Record 1, Papers: .*id_0 .*missing/.test(line))).toBe(true);
    expect(lines.some((line) => /^ {4}Record 2, /.test(line))).toBe(true);
    const json = JSON.parse((await run(['import', wrong, '--repository', 'MSS', '--json'])).stdout);
    expect(json.files).toEqual([
      {
        ...{ file: wrong, type: 'json', ok: false, stored: false, job: null, roots: [], counts: {}, records: 0 },
        ...{ seconds: expect.any(Number), left_out: [], left_out_total: 0 },
        errors: lines.slice(2, -1).map((line) => line.slice(4)),
      },
    ]);
  });

  it('is what a reader leaves out, by its beginning, and whether it could be imported', async () => {
    const odd = Array.from({ length: 7 }, (_, index) => `<runner>${index}</runner>`).join('\n');
    const xml = files.put('left.xml', findingAid('left').replace('<dsc>', `${odd}\n<dsc>`));
    const looked = await run(['import', xml, '--repository', 'MSS', '--only-validate']);
    const lines = withoutPhases(looked.stderr);
    expect([looked.code, looked.stdout, lines.slice(1, 3)]).toEqual([
      0,
      '',
      ['  can be imported; nothing is stored', '  left out, for want of a place in the records: 7'],
    ]);
    const taken = await run(['import', xml, '--repository', 'MSS']);
    const [, job = ''] = /… all of them: muniment jobs --follow (\S+)/.exec(taken.stderr) ?? [];
    expect([taken.code, withoutPhases(taken.stderr)]).toEqual([
      0,
      [
        lines[0],
        expect.stringMatching(/^ {2}imported into MSS: 1 resource, .*3 archival objects/),
        expect.stringMatching(/^ {2}\d+ records in N s$/),
        lines[2],
        ...lines.slice(3, 8),
        `    … all of them: muniment jobs --follow ${job}`,
        '',
      ],
    ]);
    expect((await run(['jobs', '--follow', job])).stdout.match(/runner/g)?.length).toBeGreaterThanOrEqual(7);
    const array = files.put('array.json', batchOf('array'));
    const refused = await run(['import', array, '--repository', 'MSS', '--only-validate']);
    expect([refused.code, withoutPhases(refused.stderr).slice(1)]).toEqual([
      1,
      [
        '  failed: nothing of this file is stored',
        '    array.json is a JSON array of records; --only-validate is for files of a format.',
        '',
      ],
    ]);
  });

  it.each<readonly [readonly string[], RegExp]>([
    [['x.json'], /^Which repository\? Give --repository <id or code>, or --create-repository <code> to make one\.\n$/],
    [
      ['x.json', '--repository', '2', '--create-repository', 'X'],
      /^Give --repository or --create-repository, not both\.\n$/,
    ],
    [['x.json', '--repository', '99'], /^There is no repository 99; there are: MSS \(2\)[^\n]*\.\n$/],
    ...[['--type', 'json'], ['--migration'], ['--stop']].map(
      (more) =>
        [['.', '--report', 'x.html', ...more], /^--report goes without --type, --migration and --stop\.\n$/] as const,
    ),
    [
      ['.', '--report', 'x.html', '--repositories-by-folder', '--create-repository', 'X'],
      /^Give --repository or --repositories-by-folder, not both\.\n$/,
    ],
  ])('is nothing where the use is wrong: %j', async (args, words) => {
    files.put('x.json', batchOf('x'));
    const told = { code: 2, stdout: '', stderr: expect.stringMatching(words) };
    expect(await run(['import', ...args], { cwd: files.folder })).toEqual(told);
  });

  it('begins with the repository where one is made', async () => {
    const { code, stderr } = await run(['import', files.put('new.json', batchOf('new')), '--create-repository', 'NEW']);
    const repository = JSON.parse((await run(['repositories', '--json'])).stdout).find(
      (each: { code: string }) => each.code === 'NEW',
    );
    expect([code, repository.name, stderr.split('\n')[0]]).toEqual([
      0,
      'NEW',
      `Made repository NEW: ${repository.uri}`,
    ]);
  });

  it('is counted where there are several; the next is tried where one fails, unless that is not wanted', async () => {
    const bad = files.put('bad.json', '[{}]');
    const good = files.put('good.json', batchOf('good'));
    const both = await run(['import', bad, good, '--repository', 'MSS']);
    expect([both.code, timeless(both.stdout), withoutPhases(both.stderr)]).toEqual([
      1,
      '1 of 2 files imported into MSS, 1 failed, 0 not tried: 6 records in N s\n',
      [
        '1 of 2: bad.json (4 bytes)',
        '  failed: nothing of this file is stored',
        expect.stringMatching(/^ {4}\S/),
        expect.stringMatching(/^2 of 2: good\.json \(/),
        '  imported into MSS: 1 resource, 5 archival objects',
        '  6 records in N s',
        '',
      ],
    ]);
    const one = await run(['import', bad, good, '--repository', 'MSS', '--stop']);
    expect([one.code, timeless(one.stdout)]).toEqual([
      1,
      '0 of 2 files imported into MSS, 1 failed, 1 not tried: 0 records in N s\n',
    ]);
  });

  it('is the whole form that is sent of a file of a format', async () => {
    const xml = files.put('form.xml', findingAid('form'));
    const { code, asked } = await throughProxy(api, ['import', xml, '--repository', 'MSS', '--type', 'ead_xml']);
    const [types, list, sent = '', ...following] = asked;
    expect([code, types, list, sent.replaceAll(/muniment-[0-9a-f-]{36}/g, 'B')]).toEqual([
      0,
      'GET /repositories/1/jobs/import_types',
      'GET /repositories',
      `POST /repositories/${repoId}/jobs_with_files --B\r\nContent-Disposition: form-data; name="job"\r\n\r\n{"jsonmodel_type":"job","job":{"jsonmodel_type":"import_job","filenames":["form.xml"],"import_type":"ead_xml"}}\r\n--B\r\nContent-Disposition: form-data; name="files[]"; filename="form.xml"\r\nContent-Type: application/octet-stream\r\n\r\n${findingAid('form')}\r\n--B--\r\n`,
    ]);
    const [job = ''] = /\/repositories\/\d+\/jobs\/\d+/.exec(following[0] ?? '') ?? [];
    expect(new Set(following.map((each) => each.replace(/offset=\d+/, 'offset=N')))).toEqual(
      new Set([`GET ${job}`, `GET ${job}/log?offset=N`, `GET ${job}/records?page=1&page_size=250`]),
    );
  });
});

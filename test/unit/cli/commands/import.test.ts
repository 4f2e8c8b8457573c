// What an import sends, and all that it tells of each file: to people, and to scripts.
import { describe, expect, it } from 'vitest';
import { filesForTests } from '../../../integration/cli/run-cli.ts';
import type { Answered, Answers } from '../answering.ts';
import { Answer, answering } from '../answering.ts';

const files = filesForTests();
const json = files.put('records.json', '[{"jsonmodel_type":"resource"}]');
const xml = files.put('aid.xml', '<ead/>');
const types = 'GET /repositories/1/jobs/import_types';
const places: Answers = {
  'GET /repositories': [{ uri: '/repositories/2', repo_code: 'MSS', name: 'Manuscripts' }],
  [types]: [{ name: 'ead_xml' }, { name: 'marcxml' }],
};
const batch = 'POST /repositories/2/batch_imports [{"jsonmodel_type":"resource"}]';
const batches = 'POST /repositories/2/batch_imports';
const saved = (...uris: readonly string[]): string =>
  `[\n{"status":[{"id":1,"label":"Saving","type":"started"}]},\n{"ticks":1,"total":2},\n{"saved":{${uris.map((uri, index) => `"import_${index}":["${uri}",${index}]`).join(',')}}}\n]\n`;

/** A run whose seconds are those of no clock. */
async function run(answers: Answers, ...args: readonly string[]): Promise<Answered> {
  const { stdout, stderr, ...rest } = await answering({ ...places, ...answers }, ['import', ...args], {
    cwd: files.folder,
  });
  const timeless = (text: string): string =>
    text
      .replaceAll(/\d+\.\d s/g, 'N s')
      .replaceAll(/, [\d,]+ a second/g, '')
      .replaceAll(/"seconds":[\d.]+/g, '"seconds":0')
      .replaceAll(files.folder, '');
  return { ...rest, stdout: timeless(stdout), stderr: timeless(stderr) };
}

describe('a batch of records', () => {
  it('is stored, and told by kinds, with the roots that it made', async () => {
    const reply = new Answer(
      200,
      saved(
        '/repositories/2/archival_objects/4',
        '/agents/people/7',
        '/repositories/2/resources/3',
        '/repositories/2/resources/5',
        '/x',
      ),
    );
    const told = await run({ [batches]: reply }, json, '--repository', 'mss');
    expect(told).toEqual({
      code: 0,
      stdout: '/repositories/2/resources/3\n/repositories/2/resources/5\n',
      stderr: [
        '/records.json (31 bytes)',
        '  Sending',
        '  Saving',
        '  imported into MSS: 2 resources, 1 agent (person), 1 archival object, 1 record',
        '  5 records in N s',
        '',
      ].join('\n'),
      asked: ['GET /repositories', batch],
    });
    const ordered = batch.replace(' [', '?migration=true [');
    const whole = await run(
      { [ordered.split(' [')[0] ?? '']: reply },
      json,
      '--repository',
      '2',
      '--migration',
      '--json',
    );
    expect([whole.stderr, whole.asked[1], JSON.parse(whole.stdout)]).toEqual([
      '',
      ordered,
      {
        ...{ ok: true, repository: '/repositories/2', records: 5, seconds: 0, not_tried: 0 },
        files: [
          {
            ...{ file: '/records.json', type: 'json', ok: true, stored: true, job: null, records: 5, seconds: 0 },
            roots: ['/repositories/2/resources/3', '/repositories/2/resources/5'],
            counts: { agent_person: 1, archival_object: 1, record: 1, resource: 2 },
            ...{ errors: [], left_out: [], left_out_total: 0 },
          },
        ],
      },
    ]);
  });

  it('that is wrong is told record by record, and nothing of it is stored', async () => {
    const faults = [
      { record_number: 1, record_title: 'Papers', errors: { title: ['is missing', 'is odd'], dates: 'none' } },
      { record_number: 2, record_uri: '/x/1' },
      { record_number: 3, record_type: 'resource' },
      { record_number: 4 },
    ];
    const reply = (complete: boolean) =>
      new Answer(200, `[\n${JSON.stringify({ errors: ['Bad records'], report: { faults, complete } })}\n]\n`);
    const { code, stdout, stderr } = await run({ [batches]: reply(false) }, json, '--repository', '2');
    expect([code, stdout, stderr.split('\n')]).toEqual([
      1,
      '',
      [
        '/records.json (31 bytes)',
        '  Sending',
        '  failed: nothing of this file is stored',
        '    Bad records',
        '    Record 1, Papers: title is missing; is odd, dates "none"',
        '    Record 2, /x/1: ',
        '    Record 3, resource: ',
        '    Record 4, without a title: ',
        '    There may be more.',
        '',
      ],
    ]);
    const all = await run({ [batches]: reply(true) }, json, '--repository', '2', '--json');
    const {
      files: [file],
    } = JSON.parse(all.stdout);
    expect(file).toEqual({
      ...{
        file: '/records.json',
        type: 'json',
        ok: false,
        stored: false,
        job: null,
        roots: [],
        counts: {},
        records: 0,
      },
      ...{
        seconds: 0,
        errors: stderr
          .split('\n')
          .slice(3, 8)
          .map((line) => line.slice(4)),
        left_out: [],
        left_out_total: 0,
      },
    });
  });

  it('of which nobody heard the outcome may be stored', async () => {
    const broken = await run(
      { [batches]: new Answer(200, saved('/x').slice(0, -4)) },
      json,
      '--repository',
      '2',
      '--json',
    );
    expect([broken.code, JSON.parse(broken.stdout)]).toEqual([
      1,
      expect.objectContaining({
        ...{ ok: false, repository: '/repositories/2', records: 1, not_tried: 0 },
        files: [
          expect.objectContaining({
            stored: null,
            errors: ['The reply broke off before it told the outcome; the import may go on in the server.'],
          }),
        ],
      }),
    ]);
    for (const [status, stored] of [
      [502, null],
      [504, null],
      [500, false],
      [413, false],
    ] as const) {
      const failed = await run(
        { [batches]: new Answer(status, { error: 'Odd' }) },
        json,
        json,
        '--repository',
        '2',
        '--json',
      );
      expect([status, JSON.parse(failed.stdout).files.map((file: { stored: boolean | null }) => file.stored)]).toEqual([
        status,
        [stored, stored],
      ]);
    }
  });

  it('cannot be looked at alone', async () => {
    const { code, stderr } = await run({}, json, '--repository', '2', '--only-validate');
    expect([code, stderr.split('\n').slice(1)]).toEqual([
      1,
      [
        '  failed: nothing of this file is stored',
        '    /records.json is a JSON array of records; --only-validate is for files of a format.',
        '',
      ],
    ]);
  });
});

describe('several files', () => {
  it('are counted at the end; the next is tried where one fails, unless that is not wanted', async () => {
    const answers = {
      [batches]: [new Answer(400, { error: 'No' }), new Answer(200, saved('/repositories/2/resources/3'))],
    };
    const both = await run(answers, json, json, '--repository', '2');
    expect([both.code, both.stdout]).toEqual([
      1,
      '1 of 2 files imported into MSS, 1 failed, 0 not tried: 1 records in N s\n',
    ]);
    expect(both.stderr.split('\n')).toEqual([
      '1 of 2: /records.json (31 bytes)',
      '  Sending',
      '  failed: nothing of this file is stored',
      '    The service refused this (400): No',
      // That it is sent is the phase of the line before, which is not said again.
      '2 of 2: /records.json (31 bytes)',
      '  Saving',
      '  imported into MSS: 1 resource',
      '  1 record in N s',
      '',
    ]);
    const one = await run(answers, json, json, '--repository', '2', '--stop');
    expect([one.code, one.stdout]).toEqual([
      1,
      '0 of 2 files imported into MSS, 1 failed, 1 not tried: 0 records in N s\n',
    ]);
  });

  it('are given up where the user may not import, or is not logged in', async () => {
    for (const answer of [new Answer(403, { error: 'No' }), new Answer(412, { code: 'SESSION_GONE', error: 'Gone' })]) {
      const { code, stdout } = await run({ [batches]: answer }, json, json, '--repository', '2', '--json');
      expect([code, JSON.parse(stdout)]).toEqual([
        1,
        expect.objectContaining({ ok: false, not_tried: 1, status: answer.status, error: expect.any(String) }),
      ]);
    }
  });
});

describe('a file of a format', () => {
  const job = '/repositories/2/jobs/7';
  const log = [
    '==================================================',
    'ead_xml: aid.xml',
    '==================================================',
    '1. STARTED: Reading',
    'Read: resource 1',
    'Left out: 7',
    ...[1, 2, 3, 4, 5, 6, 7].map((line) => `\tline ${line}, x: not imported`),
    '1. DONE: Reading',
    '',
  ].join('\n');
  const following: Answers = {
    [`GET ${job}`]: { status: 'completed' },
    [`GET ${job}/log?offset=0`]: new Answer(200, log),
    [`GET ${job}/records?page=1&page_size=250`]: {
      ...{ first_page: 1, last_page: 1, this_page: 1, total: 1 },
      results: [{ record: { ref: '/repositories/2/resources/3' } }],
    },
  };
  const sent = 'POST /repositories/2/jobs_with_files';

  it('is a job that is followed; what is left out is told by its beginning', async () => {
    const { code, stdout, stderr, asked } = await run(
      { ...following, [sent]: { uri: job } },
      xml,
      '--repository',
      '2',
      '--type',
      'ead_xml',
    );
    expect([code, stdout, stderr.split('\n')]).toEqual([
      0,
      '/repositories/2/resources/3\n',
      [
        '/aid.xml (6 bytes)',
        '  Sending',
        '  Waiting for the worker',
        '  imported into MSS: 1 resource',
        '  1 record in N s',
        '  left out, for want of a place in the records: 7',
        ...[1, 2, 3, 4, 5].map((line) => `    line ${line}, x: not imported`),
        `    … all of them: muniment jobs --follow ${job}`,
        '',
      ],
    ]);
    expect(asked.map((each) => each.replaceAll(/muniment-[0-9a-f-]{36}/g, 'B'))).toEqual([
      types,
      'GET /repositories',
      `${sent} --B\r\nContent-Disposition: form-data; name="job"\r\n\r\n{"jsonmodel_type":"job","job":{"jsonmodel_type":"import_job","filenames":["aid.xml"],"import_type":"ead_xml"}}\r\n--B\r\nContent-Disposition: form-data; name="files[]"; filename="aid.xml"\r\nContent-Type: application/octet-stream\r\n\r\n<ead/>\r\n--B--\r\n`,
      ...Object.keys(following),
    ]);
  });

  it('may be looked at alone', async () => {
    const { code, stderr, asked } = await run(
      { ...following, [sent]: { uri: job } },
      xml,
      '--repository',
      '2',
      '--only-validate',
    );
    expect([code, stderr.split('\n').slice(3, 5)]).toEqual([
      0,
      ['  can be imported; nothing is stored', '  left out, for want of a place in the records: 7'],
    ]);
    expect(asked.find((each) => each.startsWith(sent))).toContain('"only_validate":"1"');
  });

  it('fails as its job does', async () => {
    const failed = { ...following, [sent]: { uri: job }, [`GET ${job}`]: { status: 'failed' } };
    const silent = await run({ ...failed, [`GET ${job}/log?offset=0`]: new Answer(200, '') }, xml, '--repository', '2');
    expect([silent.code, silent.stderr.split('\n').slice(3)]).toEqual([
      1,
      [`  failed (${job}): nothing of this file is stored`, '    The job ended as failed; its log says no more.', ''],
    ]);
    const none = await run({ ...failed, [sent]: {} }, xml, '--repository', '2');
    expect(none.stderr).toContain('    The service took the file but named no job.\n');
  });
});

describe('wrong use', () => {
  it.each<readonly [readonly string[], string]>([
    [[''], 'The name of a file or folder is empty.'],
    [[json], 'Which repository? Give --repository <id or code>, or --create-repository <code> to make one.'],
    [[json, '--repository', '2', '--create-repository', 'X'], 'Give --repository or --create-repository, not both.'],
    [[json, '--repository', '9'], 'There is no repository 9; there are: MSS (2).'],
    [[xml, '--repository', '2', '--type', 'odd'], 'There is no import type odd; there are: json, ead_xml, marcxml.'],
    [['.', '--report', 'x.html', '--type', 'json'], '--report goes without --type, --migration and --stop.'],
    [['.', '--report', 'x.html', '--migration'], '--report goes without --type, --migration and --stop.'],
    [['.', '--report', 'x.html', '--stop'], '--report goes without --type, --migration and --stop.'],
    [
      ['.', '--report', 'x.html', '--repositories-by-folder', '--create-repository', 'X'],
      'Give --repository or --repositories-by-folder, not both.',
    ],
  ])('%j', async (args, words) => {
    expect(await run({}, ...args)).toMatchObject({ code: 2, stdout: '', stderr: `${words}\n` });
  });

  it('makes a repository that is asked for where there is none of this code, and says so', async () => {
    const made = { jsonmodel_type: 'repository', repo_code: 'NEW', name: 'NEW' };
    const create = 'POST /repositories';
    const reply = { uri: '/repositories/9' };
    const { stderr, asked } = await run({ [create]: reply }, json, '--create-repository', 'NEW');
    expect([stderr.split('\n')[0], asked.slice(0, 2)]).toEqual([
      'Made repository NEW: /repositories/9',
      ['GET /repositories', `${create} ${JSON.stringify(made)}`],
    ]);
    const there = await run({}, json, '--create-repository', 'mss');
    expect(there.asked).toEqual(['GET /repositories', batch]);
    const odd = await run({ [create]: {} }, json, '--create-repository', 'NEW');
    expect(odd).toMatchObject({ code: 1, stderr: 'The service made a repository but did not say where.\n' });
  });
});

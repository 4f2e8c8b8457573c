// Imports from the shell: JSON arrays and finding aids, what is printed of them, and how failures end.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { adminPassword, startTestApi } from '#test/support/api.ts';
import { batchOf, findingAid } from './archive.ts';
import type { Run, RunOptions } from './run-cli.ts';
import { filesForTests, runCli, runCliProcess } from './run-cli.ts';

let api: TestApi;
let repoId: number;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await api.repository('MSS');
});
afterAll(() => api[Symbol.asyncDispose]());
const files = filesForTests();
const run = (args: readonly string[], options: RunOptions = {}): Promise<Run> =>
  runCli(args, { ...options, env: { MUNIMENT_URL: api.url, MUNIMENT_PASSWORD: adminPassword, ...options.env } });

describe('importing a JSON array', () => {
  it('stores it, prints the uri of its resource, and tells of its progress on standard error', async () => {
    const { code, stdout, stderr } = await run([
      'import',
      files.put('one.json', batchOf('one')),
      '--repository',
      'MSS',
    ]);
    expect([code, stderr]).toEqual([0, expect.stringContaining('imported into MSS: 1 resource, 5 archival objects')]);
    expect(stdout).toMatch(new RegExp(`^/repositories/${repoId}/resources/\\d+\n$`));
    expect(stderr).toContain('Validating records and checking links');
    expect(stderr).toMatch(/6 records in \d+\.\d s, [\d,]+ a second/);
    expect((await api.get(stdout.trim())).json).toMatchObject({
      id_0: 'one',
      title: 'Papers of <emph render="italic">one</emph>',
    });
  });

  it('prints one JSON object and nothing else with --json', async () => {
    const { code, stdout, stderr } = await run([
      'import',
      files.put('two.json', batchOf('two')),
      '--repository',
      String(repoId),
      '--json',
      '--migration',
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      repository: `/repositories/${repoId}`,
      records: 6,
      seconds: expect.any(Number),
      not_tried: 0,
      files: [
        {
          file: expect.stringContaining('two.json'),
          type: 'json',
          ok: true,
          stored: true,
          job: null,
          roots: [expect.stringContaining('/resources/')],
          counts: { archival_object: 5, resource: 1 },
          records: 6,
          seconds: expect.any(Number),
          errors: [],
          left_out: [],
          left_out_total: 0,
        },
      ],
    });
  });

  it('makes the repository where there is none of the code, and takes it the next time', async () => {
    const first = await run([
      'import',
      files.put('three.json', batchOf('three')),
      '--create-repository',
      'MAPS',
      '--json',
    ]);
    const second = await run([
      'import',
      files.put('four.json', batchOf('four')),
      '--create-repository',
      'maps',
      '--json',
    ]);
    expect([first.code, second.code]).toEqual([0, 0]);
    expect(JSON.parse(first.stdout).repository).not.toBe(`/repositories/${repoId}`);
    expect(JSON.parse(second.stdout).repository).toBe(JSON.parse(first.stdout).repository);
  });

  it('makes no repository where the type is none', async () => {
    const { code, stderr } = await run([
      'import',
      files.put('none.json', batchOf('none')),
      ...['--create-repository', 'NONE', '--type', 'ead_xlm'],
    ]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('There is no import type ead_xlm')]);
    expect((await api.get('/repositories')).text).not.toContain('"NONE"');
  });

  it('goes on where nobody reads its notes any more', async () => {
    const { code, stdout } = await runCliProcess(
      [
        'import',
        files.put('six.json', batchOf('six')),
        files.put('seven.json', batchOf('seven')),
        '--repository',
        'MSS',
      ],
      {
        env: { MUNIMENT_URL: api.url, MUNIMENT_PASSWORD: adminPassword },
        onStderr: (_text, child) => child.stderr?.destroy(),
      },
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining('2 of 2 files imported')]);
  });

  it('takes paths from where npm was called', async () => {
    files.put('five.json', batchOf('five'));
    const { code } = await runCliProcess(['import', 'five.json', '--repository', 'MSS'], {
      env: {
        MUNIMENT_URL: api.url,
        MUNIMENT_PASSWORD: adminPassword,
        npm_lifecycle_event: 'muniment',
        INIT_CWD: files.folder,
      },
    });
    expect(code).toBe(0);
  });
});

describe('an import that fails', () => {
  it('ends with 1 and the words of the service, and stores nothing', async () => {
    const bad = JSON.stringify([
      ...JSON.parse(batchOf('bad')),
      {
        jsonmodel_type: 'archival_object',
        uri: '/repositories/1/archival_objects/import_x',
        title: 'No level',
        resource: { ref: '/repositories/1/resources/import_r' },
      },
    ]);
    const { code, stdout, stderr } = await run(['import', files.put('bad.json', bad), '--repository', 'MSS']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('failed: nothing of this file is stored');
    expect(stderr).toContain('level');
    const found = await api.get(
      `/repositories/${repoId}/find_by_id/resources?identifier[]=${encodeURIComponent('["bad"]')}`,
    );
    expect(found.text).not.toContain('/resources/');
  });

  it('says so in JSON with exit code 1', async () => {
    const { code, stdout } = await run([
      'import',
      files.put('broken.json', '[{"jsonmodel_type":'),
      '--repository',
      'MSS',
      '--json',
    ]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      files: [{ ok: false, records: 0, errors: [expect.any(String)] }],
    });
  });

  it.each([
    ['a file that is not there', ['nowhere.xml', '--repository', 'MSS'], 2, 'there is no such file'],
    ['an empty name', ['', '--repository', 'MSS'], 2, 'The name of a file or folder is empty.'],
    ['an empty name with a report', ['', '--repository', 'MSS', '--report', 'r.html'], 2, 'folder is empty.'],
    [
      'a repository that is not there',
      ['package.json', '--repository', 'NONE'],
      2,
      'There is no repository NONE; there are: ',
    ],
    [
      'a type that is none',
      ['package.json', '--repository', 'MSS', '--type', 'word'],
      2,
      'There is no import type word; there are: json, ',
    ],
    [
      'a file that nothing tells about',
      ['package.json', '--repository', 'MSS'],
      1,
      'its beginning does not tell what it is',
    ],
  ])('refuses %s', async (_what, args, code, says) => {
    const ended = await run(['import', ...args]);
    expect(ended.stderr).toContain(says);
    expect([ended.code, ended.stdout]).toEqual([code, expect.not.stringContaining('/resources/')]);
  });

  it('ends at once where the user may not import', async () => {
    const session = await api.userWith(['view_repository'], repoId);
    const paths = ['p.json', 'q.json'].map((name) => files.put(name, batchOf(name)));
    const { code, stdout, stderr } = await run([
      'import',
      ...paths,
      '--repository',
      'MSS',
      '--session',
      session,
      '--json',
    ]);
    expect([code, stderr]).toEqual([1, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      status: 403,
      not_tried: 1,
      error: expect.stringContaining('may not do this'),
    });
  });
});

describe('importing several files', () => {
  const folderOf = (mark: string): string => {
    mkdirSync(join(files.folder, mark));
    files.put(`${mark}/1.json`, batchOf(`${mark}-1`));
    files.put(`${mark}/2.json`, '[{}]');
    files.put(`${mark}/3.json`, batchOf(`${mark}-3`));
    files.put(`${mark}/notes.txt`, 'not for import');
    return join(files.folder, mark);
  };

  it('goes on after a failure and ends with 1 and a summary', async () => {
    const { code, stdout, stderr } = await run(['import', folderOf('some'), '--repository', 'MSS']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^2 of 3 files imported into MSS, 1 failed, 0 not tried: 12 records in \d+\.\d s\n$/);
    expect(stderr).toMatch(/2 of 3: .*2\.json[\s\S]*failed[\s\S]*3 of 3: .*3\.json/);
  });

  it('ends at the first failure with --stop', async () => {
    const { code, stdout } = await run(['import', folderOf('stopped'), '--repository', 'MSS', '--stop', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, not_tried: 1, files: [{ ok: true }, { ok: false }] });
  });
});

describe('importing a finding aid', () => {
  it('follows the job to its end and prints the uri of the resource', async () => {
    const { code, stdout, stderr } = await run([
      'import',
      files.put('aid.xml', findingAid('aid')),
      '--repository',
      'MSS',
    ]);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/imported into MSS: 1 resource, .*3 archival objects/)]);
    expect((await api.get(stdout.trim())).json).toMatchObject({ title: 'Papers of aid' });
  });

  it('ends with 1 and the errors of the log where the document cannot be read', async () => {
    const { code, stdout, stderr } = await run([
      'import',
      files.put('cut.xml', findingAid('cut').slice(0, 700)),
      '--repository',
      'MSS',
      '--json',
    ]);
    expect([code, stderr]).toEqual([1, '']);
    const {
      files: [outcome],
    } = JSON.parse(stdout);
    expect(outcome).toMatchObject({
      ok: false,
      type: 'ead_xml',
      job: expect.stringMatching(/\/jobs\/\d+$/),
      records: 0,
    });
    expect(outcome.errors.join('\n')).toMatch(/\S/);
    const job = await run(['jobs', '--follow', outcome.job]);
    expect(job).toMatchObject({ code: 1, stdout: expect.stringContaining(`${outcome.job}: failed`) });
  });
});

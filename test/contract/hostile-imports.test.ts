// Files made to do harm, sent as clients send them, to a worker process of its own: each ends in a failed job that says why and where, leaves
// nothing, asks nobody for anything, and takes neither much time nor much memory.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import type { TestApi } from '../support/api.ts';
import { startTestApi } from '../support/api.ts';
import type { JobRequest } from '../support/api-jobs.ts';
import { runJob } from '../support/api-jobs.ts';
import type { HostileFile, XmlForm } from '../support/make/hostile-imports.ts';
import {
  hostileCsv,
  hostileWorkbooks,
  hostileXml,
  largeWorkbooks,
  largeXml,
  xmlForms,
} from '../support/make/hostile-imports.ts';
import { resourceBody } from '../support/records.ts';
import type { Service } from '../support/service.ts';
import { startService } from '../support/service.ts';
import { amount, isLong } from '../support/long.ts';

const mostMegabytes = 1000;

let api: TestApi;
let worker: Service;
let repoId = 0;
let resourceId = 0;
// Whoever asks here was led astray by a file.
const visits: string[] = [];
const astray = createServer((request, reply) => {
  visits.push(request.url ?? '');
  reply.end('<!ENTITY x "visited">');
});
let address = '';
let workbooks: readonly HostileFile[] = [];

beforeAll(async () => {
  api = await startTestApi({ worker: false });
  worker = await startService({ DATABASE_URL: api.databaseUrl, MUNIMENT_WORKER_THREADS: '1' }, 'apps/worker/main.ts');
  await new Promise<void>((resolve) => void astray.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(astray.address() as AddressInfo).port}`;
  workbooks = hostileWorkbooks('Updates', address);
  repoId = await api.repository();
  resourceId = Number(
    (await api.create(`/repositories/${repoId}/resources`, resourceBody('HOSTILE', { ead_id: 'HOSTILE' })))
      .split('/')
      .at(-1),
  );
});
afterAll(async () => {
  await worker[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
  astray.close();
});

type Sending = { readonly job: object; readonly params?: object };
const imports = (import_type: string): Sending => ({
  job: { jsonmodel_type: 'import_job', import_type, filenames: ['hostile'] },
});
const sheets = (jsonmodel_type: string, content_type: string): Sending => ({
  job: {
    jsonmodel_type,
    resource_id: String(resourceId),
    filename: 'hostile',
    content_type,
    load_type: 'ao',
    format: content_type,
  },
  params: { rid: resourceId },
});

const stored = async (): Promise<unknown> =>
  api.database.reader.one(sql.type(AnyRow)`
    SELECT (SELECT count(*)::int FROM record) AS records, (SELECT count(*)::int FROM blob b WHERE NOT EXISTS (SELECT FROM job_file f WHERE f.blob_id = b.id)) AS loose`);

/** The files for one of several places that all take the same ones: all in a long run; else all for the first, and a sixth, another each time, for the others. */
const shareOf = (files: readonly HostileFile[], place: number): readonly HostileFile[] =>
  files.filter((_, at) => isLong || place === 0 || at % 6 === place % 6);

/** What is wrong with how the service took the files; nothing where each was refused as it should be. */
async function sent(files: readonly HostileFile[], { job, params }: Sending): Promise<readonly string[]> {
  const problems: string[] = [];
  const before = await stored();
  for (const { what, bytes, says } of files) {
    const startedAt = performance.now();
    const request: JobRequest = {
      file: { name: 'hostile', content: bytes },
      ...(params === undefined ? {} : { params }),
    };
    const { status, log } = await runJob(api, repoId, job, request);
    const seconds = (performance.now() - startedAt) / 1000;
    if (status !== 'failed') problems.push(`${what}: ${status}`);
    if (!says.test(log)) problems.push(`${what}: says ${log.slice(-700)}`);
    if (log.includes('root:')) problems.push(`${what}: gives a file away`);
    if (process.env['TEST_TIMES'] !== undefined)
      console.info(`${what}: ${seconds.toFixed(2)} s, ${peakMegabytes()} MB`);
  }
  expect(await stored()).toEqual(before);
  return problems;
}

/** The most memory that the worker had so far; on Linux alone. */
const peakMegabytes = (): number =>
  Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${worker.pid}/status`, 'utf8'))?.[1] ?? 0) / 1000);

const csvTypes = ['accession_csv', 'digital_object_csv', 'location_csv', 'subject_csv', 'assessment_csv'];
const sheetJobs = ['bulk_import_job', 'top_container_linker_job', 'bulk_archival_object_updater_job'];

describe.each(xmlForms)('$form', (form: XmlForm) => {
  test('made to do harm is refused with reason and line', async () => {
    expect(
      await sent(
        [
          ...shareOf(hostileXml(form, address), xmlForms.indexOf(form)),
          ...(form === xmlForms[0] ? largeXml(form, amount(1, 4)) : []),
        ],
        imports(form.importType),
      ),
    ).toEqual([]);
  });
});

describe('CSV', () => {
  test.each([
    ['accession_csv', 'accession_title,accession_number_1', 'A,1'],
    ['digital_object_csv', 'digital_object_title,digital_object_id', 'A,1'],
    ['location_csv', 'location_building,location_room', 'A,1'],
    ['subject_csv', 'term_1,subject_source', 'A,lcsh'],
    ['assessment_csv', 'basic\nrecord', 'resource_1'],
  ])('%s made to do harm is refused with reason and line', async (type, head, row) => {
    const files = shareOf(hostileCsv(head, row), csvTypes.indexOf(type));
    const many = Array.from({ length: 50_000 }, (_, n) => `a_${n}`).join(',');
    const isRead = isLong ? type !== 'assessment_csv' : type === csvTypes[0];
    expect(
      await sent(
        [
          ...files,
          ...(!isRead
            ? []
            : [{ what: 'a column twice among 50,000', bytes: `${many},a_1\n`, says: /The column a_1 is there twice/ }]),
        ],
        imports(type),
      ),
    ).toEqual([]);
  });

  test.each(['bulk_import_job', 'top_container_linker_job'])(
    'of a %s made to do harm is refused with reason and row',
    async (type) => {
      const large = [
        {
          what: 'seventeen thousand columns',
          bytes: `Field codes,title\n${','.repeat(17_000)}\n`,
          says: /Row 2 has more than 16384 columns/,
        },
        {
          what: 'blank rows without end',
          bytes: `Field codes,title\n${'\n'.repeat(1_100_000)},A\n`,
          says: /more than 1048576 rows/,
        },
        {
          what: 'three hundred thousand rows',
          bytes: `Field codes,title\n${',A\n'.repeat(300_000)}`,
          says: /more than 200000 rows/,
        },
        {
          what: 'sixteen thousand columns, one twice',
          bytes: `Field codes,${Array.from({ length: 16_000 }, (_, n) => `a${n}`).join(',')},a1\n,A\n`,
          says: /column a1: The column is there twice/,
        },
      ];
      const place = sheetJobs.indexOf(type);
      const files = [
        ...shareOf(hostileCsv('Field codes,title', ',A'), place),
        // Each takes a second to be read, by the reader that both have: half of them for each.
        ...large.filter((_, at) => isLong || at % 2 === place % 2),
      ];
      expect(await sent(files, sheets(type, 'csv'))).toEqual([]);
    },
  );
});

describe('a workbook', () => {
  test.each(sheetJobs)('of a %s made to do harm is refused with reason and place', async (type) => {
    const sending =
      type === 'bulk_archival_object_updater_job' ? { job: { jsonmodel_type: type } } : sheets(type, 'xlsx');
    expect(
      await sent(
        [
          ...shareOf(workbooks, sheetJobs.indexOf(type)),
          ...(type === 'bulk_import_job' ? largeWorkbooks('Updates', amount(3, 5)) : []),
        ],
        sending,
      ),
    ).toEqual([]);
  });
});

test('afterwards the worker is there, was never led astray, had little memory, and imports what is good', async () => {
  expect(visits).toEqual([]);
  expect(peakMegabytes()).toBeLessThan(mostMegabytes);
  const { wrap } = xmlForms[0] ?? {};
  const ended = await runJob(api, repoId, imports('ead_xml').job, {
    file: { name: 'good', content: wrap?.('good') ?? '' },
  });
  expect(ended.status, ended.log).toBe('completed');
  expect(worker.output()).not.toMatch(/"code":"internal"/);
});

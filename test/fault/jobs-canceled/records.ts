// Jobs over records and files, and how a test cancels each: imports, merges, transfers, changes of many records, repositories, where files are.
import { sql } from '#store/connection/sql.ts';
import { writeBlob } from '#store/files/blobs.ts';
import type { TestApi } from '#test/support/api.ts';
import { idOf, ok } from '#test/support/api.ts';
import type { CanceledJob } from '#test/support/canceled-jobs.ts';
import { changes } from '#test/support/canceled-jobs.ts';
import { marcField, marcRecord } from '#test/support/marc-document.ts';
import { personBody, resourceBody } from '#test/support/records.ts';

/** A case for each of these jobs. */
export const jobsOfRecords: readonly CanceledJob[] = [
  {
    name: 'batch-import',
    hold: changes,
    prepare: async ({ R, next, later }) => {
      const name = next();
      const resource = { jsonmodel_type: 'resource', uri: `${R}/resources/import_${name}`, ...resourceBody(name) };
      return later(`${R}/batch_imports`, {
        body: JSON.stringify([
          resource,
          {
            jsonmodel_type: 'archival_object',
            uri: `${R}/archival_objects/import_1`,
            title: 'A',
            level: 'file',
            resource: { ref: resource.uri },
          },
        ]),
      });
    },
  },
  {
    name: 'delete-repository',
    hold: changes,
    prepare: async ({ api, later }) => {
      const id = await api.repository();
      await api.create(`/repositories/${id}/accessions`, { id_0: 'A', accession_date: '2020-01-01' });
      return later(`/repositories/${id}`, { method: 'DELETE' });
    },
  },
  {
    name: 'find-and-replace',
    hold: changes,
    prepare: async ({ tree, job }) =>
      job('find_and_replace_job', {
        find: 'T',
        replace: 'D',
        record_type: 'archival_object',
        property: 'title',
        base_record_uri: (await tree()).resource,
      }),
  },
  {
    name: 'generate-arks',
    hold: changes,
    prepare: async ({ api, tree, job }) => {
      await withoutNames(api, (await tree()).resource);
      return job('generate_arks_job');
    },
  },
  {
    name: 'generate-slugs',
    hold: changes,
    prepare: async ({ api, tree, job }) => {
      await withoutNames(api, (await tree()).resource);
      return job('generate_slugs_job');
    },
  },
  {
    name: 'import-format',
    hold: changes,
    prepare: async ({ next, job }) => {
      const record = marcRecord(
        `${marcField('245', '1', '0', { a: 'Papers', f: '1900' })}${marcField('099', ' ', ' ', { a: next() })}${marcField('300', ' ', ' ', { a: '3 volumes' })}`,
      );
      return job(
        'import_job',
        { filenames: ['a.xml'], import_type: 'marcxml' },
        { file: { name: 'a.xml', content: record } },
      );
    },
  },
  {
    name: 'load-records',
    hold: changes,
    prepare: async ({ later }) =>
      later('/system/load?into_filled=true', {
        body: JSON.stringify({
          jsonmodel_type: 'subject',
          uri: '/subjects/9001',
          source: 'local',
          vocabulary: '/vocabularies/1',
          terms: [
            {
              jsonmodel_type: 'term',
              uri: '/terms/9001',
              term: 'T',
              term_type: 'topical',
              vocabulary: '/vocabularies/1',
            },
          ],
          lock_version: 3,
        }),
      }),
  },
  {
    name: 'merge-records',
    hold: changes,
    prepare: async ({ api, next, later }) => later('/merge_requests/agent', { json: await twoPeople(api, next()) }),
  },
  {
    name: 'move-files',
    hold: { table: 'stored_object', against: 'all' },
    prepare: async ({ api, later }) => {
      await writeBlob(api.database, [Buffer.from('a file')]);
      return later('/system/files/move?to=s3');
    },
  },
  {
    name: 'remove-ns2',
    hold: changes,
    prepare: async ({ api, R, next, job }) => {
      const note = {
        jsonmodel_type: 'note_multipart',
        type: 'odd',
        subnotes: [{ jsonmodel_type: 'note_text', content: 'See <extref ns2:href="https://example.org/a">a</extref>' }],
      };
      await api.create(`${R}/resources`, resourceBody(next(), { notes: [note] }));
      return job('ns2_remover_job');
    },
  },
  {
    name: 'rename-value',
    hold: changes,
    prepare: async ({ api, R, next, later }) => {
      const extents = [{ portion: 'whole', number: '1', extent_type: 'cassettes' }];
      await api.create(`${R}/accessions`, { id_0: next(), accession_date: '2020-01-01', extents });
      const { uri } = ok(await api.get('/config/enumerations/names/extent_extent_type'));
      return later('/config/enumerations/migration', { json: { enum_uri: uri, from: 'cassettes', to: 'reels' } });
    },
  },
  {
    name: 'transfer-record',
    hold: changes,
    prepare: async ({ api, tree, later }) =>
      later(`${(await tree()).resource}/transfer?target_repo=/repositories/${await api.repository()}`),
  },
  {
    name: 'transfer-repository',
    hold: changes,
    prepare: async ({ api, later }) => {
      const from = await api.repository();
      await api.create(`/repositories/${from}/accessions`, { id_0: 'A', accession_date: '2020-01-01' });
      return later(`/repositories/${from}/transfer?target_repo=/repositories/${await api.repository()}`);
    },
  },
  {
    name: 'trim-whitespace',
    hold: changes,
    prepare: async ({ api, tree, job }) => {
      const {
        nodes: [one = ''],
      } = await tree();
      await api.database.transaction((tx) =>
        tx.run(
          sql`UPDATE record SET body = replace(body::text, '"One"', '" One "')::json WHERE kind = 'archival_object' AND id = ${idOf(one)}`,
        ),
      );
      return job('trim_whitespace_job');
    },
  },
  {
    name: 'undo-merge',
    hold: changes,
    prepare: async ({ api, next, later }) => {
      const merged = await api.post('/merge_requests/agent', await twoPeople(api, next()));
      ok(merged);
      return later(`${/<(.*?)>/.exec(merged.headers.get('link') ?? '')?.[1] ?? ''}/undo`);
    },
  },
];

async function twoPeople(api: TestApi, name: string): Promise<object> {
  return merge(
    await api.create('/agents/people', personBody(`${name} kept`)),
    await api.create('/agents/people', personBody(`${name} gone`)),
  );
}

const merge = (destination: string, candidate: string) => ({
  merge_destination: { ref: destination },
  merge_candidates: [{ ref: candidate }],
});

/** Takes from a resource the names that the service gave it. */
async function withoutNames(api: TestApi, resource: string): Promise<void> {
  await api.database.transaction(async (tx) => {
    await tx.run(
      sql`UPDATE record SET body = with_property(with_property(body, 'ark_name', NULL), 'slug', NULL) WHERE kind = 'resource' AND id = ${idOf(resource)}`,
    );
    await tx.run(
      sql`DELETE FROM unique_key WHERE kind = 'resource' AND id = ${idOf(resource)} AND rule IN ('ark', 'slug')`,
    );
  });
}

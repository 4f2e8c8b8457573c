// Jobs of trees, and how a test cancels each: sheets into a resource and back, copies, moves, what a whole tree is made, its deletion.
import { read as readWorkbook, utils, write as writeWorkbook } from '@e965/xlsx';
import { parse } from 'csv-parse/sync';
import { idOf } from '#test/support/api.ts';
import type { CanceledJob } from '#test/support/canceled-jobs.ts';
import { changes } from '#test/support/canceled-jobs.ts';
import { csv, sheetOf } from '#test/support/sheet-job.ts';

/** A case for each of these jobs. */
export const jobsOfTrees: readonly CanceledJob[] = [
  {
    name: 'bulk-update',
    hold: changes,
    prepare: async ({ api, R, tree, job }) => {
      const { resource, nodes } = await tree();
      const form = new URLSearchParams([
        ...nodes.map((uri): [string, string] => ['uri[]', uri]),
        ['resource_uri', resource],
      ]);
      const reply = await fetch(`${api.url}/bulk_archival_object_updater${R}/generate_spreadsheet`, {
        method: 'POST',
        headers: { 'x-service-session': api.session },
        body: form,
      });
      const book = readWorkbook(Buffer.from(await reply.arrayBuffer()));
      const table = utils.sheet_to_json<string[]>(book.Sheets['Updates'] ?? {}, { header: 1 });
      const title = table[1]?.indexOf('title') ?? -1;
      for (const row of table.slice(2)) row[title] = `Changed ${row[title]}`;
      book.Sheets['Updates'] = utils.aoa_to_sheet(table);
      return job(
        'bulk_archival_object_updater_job',
        {},
        {
          file: {
            name: 'updates.xlsx',
            content: writeWorkbook(book, { type: 'buffer', bookType: 'xlsx', bookSST: true }),
          },
        },
      );
    },
  },
  {
    name: 'delete-record',
    hold: changes,
    prepare: async ({ large, later }) => later(await large('take'), { method: 'DELETE' }),
  },
  {
    name: 'delete-records',
    hold: changes,
    prepare: async ({ large, later }) => later(`/batch_delete?record_uris[]=${await large('take')}`),
  },
  {
    name: 'duplicate-resource',
    hold: changes,
    prepare: async ({ tree, job }) => job('resource_duplicate_job', { source: (await tree()).resource }),
  },
  {
    name: 'link-containers',
    hold: changes,
    prepare: async ({ api, next, tree, job }) => {
      const { resource } = await tree();
      const table: string[][] = parse((await api.get(`${resource}/templates/top_container_creation.csv`)).text);
      const cells: { readonly [code: string]: string } = {
        instance_type: 'text',
        top_container_type: 'box',
        top_container_indicator: next(),
      };
      const filled = table.map((row, index) =>
        index < 4 ? row : row.map((cell, column) => cells[table[2]?.[column] ?? ''] ?? cell),
      );
      return job(
        'top_container_linker_job',
        { resource_id: String(idOf(resource)), filename: 'x.csv', content_type: 'csv' },
        { params: { rid: idOf(resource) }, file: { name: 'x.csv', content: csv(filled) } },
      );
    },
  },
  {
    name: 'load-sheet',
    hold: changes,
    prepare: async ({ tree, job }) => {
      const { resource } = await tree();
      const content = csv(
        sheetOf([{ res_uri: resource, title: 'Loaded', hierarchy: '1', level: 'file', begin: '1900' }]),
      );
      return job(
        'bulk_import_job',
        { resource_id: String(idOf(resource)), filename: 'x.csv', load_type: 'ao', content_type: 'csv', format: 'csv' },
        { params: { rid: idOf(resource) }, file: { name: 'x.csv', content } },
      );
    },
  },
  {
    name: 'move-nodes',
    hold: changes,
    prepare: async ({ tree, later }) => {
      const {
        nodes: [one = '', two = ''],
      } = await tree();
      return later(`${one}/parent?parent=${idOf(two)}&position=0`);
    },
  },
  {
    name: 'publish-records',
    hold: changes,
    prepare: async ({ tree, later }) => later(`${(await tree()).resource}/publish`),
  },
  {
    name: 'sort-children',
    hold: changes,
    prepare: async ({ tree, job }) => job('sort_children_job', { parent: (await tree()).resource, sort_by: ['title'] }),
  },
  {
    name: 'suppress-records',
    hold: changes,
    prepare: async ({ tree, later }) => later(`${(await tree()).resource}/suppressed?suppressed=true`),
  },
  {
    name: 'transfer-component',
    hold: changes,
    prepare: async ({ R, tree, later }) => {
      const {
        nodes: [, two = ''],
      } = await tree();
      return later(`${R}/component_transfers?target_resource=${(await tree()).resource}&component=${two}`);
    },
  },
];

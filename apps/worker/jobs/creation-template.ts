// Handler of prefilled templates: reads the components of the resource block by block, writes the lines in a thread.
import { uriOf } from '#domain/addresses.ts';
import { seesSuppressed } from '#domain/access/suppression.ts';
import { creationTemplate } from '#domain/jobs/creation-template.ts';
import type { JsonObject } from '#domain/json.ts';
import { textOf } from '#domain/json.ts';
import { resource } from '#domain/kinds/resource.ts';
import { creationTemplateOf } from '#domain/templates/creation-templates.ts';
import { readRecord } from '#store/records/reading/read.ts';
import { templateRows } from '#store/spreadsheets/template-rows.ts';
import { throughThread } from '../formats/through-thread.ts';
import { defineHandler } from '../handler.ts';
import { keepSheet } from '../job-steps/keep-sheet.ts';

/** Makes the file; the value tells how many rows it has. */
export const handler = defineHandler(creationTemplate, async (payload, context) => {
  const { caller, database, threads, signal } = context;
  const { repoId, resourceId, template, release } = payload;
  const viewer = { seesSuppressed: seesSuppressed(caller, repoId, payload.wantsSuppressed) };
  const { row } = await readRecord(database.reader, resource, resourceId, repoId, viewer);
  // A stored body is our own canonical text.
  const body: JsonObject = JSON.parse(row.body);
  const parts = ['id_0', 'id_1', 'id_2', 'id_3'].flatMap((part) => textOf(body, part) ?? []);
  const about = {
    template,
    release,
    resource: {
      uri: uriOf(resource, resourceId, repoId),
      title: textOf(body, 'title') ?? row.label,
      eadId: textOf(body, 'ead_id') ?? null,
      identifier: parts.join(' '),
    },
  };
  let count = 0;
  async function* blocks(): AsyncGenerator<Uint8Array> {
    for await (const rows of templateRows(database.reader, repoId, resourceId, viewer.seesSuppressed)) {
      signal.throwIfAborted();
      yield Buffer.from(JSON.stringify(rows));
      count += rows.length;
      context.progress({ label: 'Reading', done: count, total: null });
    }
  }
  const bytes = throughThread(blocks(), (port) =>
    threads.run('writeTemplate', { port, about }, { signal, transfer: [port] }),
  );
  const fileName = creationTemplateOf(template, release).fileName(resourceId);
  return keepSheet(bytes, { fileName, mediaType: 'text/csv' }, () => count, viewer, context);
});

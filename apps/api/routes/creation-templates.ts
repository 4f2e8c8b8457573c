// Prefilled templates of a resource (contract trees-and-jobs 6.7), streamed.
import { Readable } from 'node:stream';
import { uriOf } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import { textOf } from '#domain/json.ts';
import { resource } from '#domain/kinds/resource.ts';
import type { CreationTemplate, TemplateResource } from '#domain/templates/creation-templates.ts';
import {
  digitalObjectTemplate,
  templateHead,
  templateLine,
  topContainerTemplate,
} from '#domain/templates/creation-templates.ts';
import { readRecord } from '#store/records/reading/read.ts';
import { templateRows } from '#store/spreadsheets/template-rows.ts';
import { attachment } from '../reply/attachment.ts';
import { id, repositoryId } from '../request/parameters.ts';
import { stream } from '../reply/reply.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import type { Seeing } from '../record-routes/viewing.ts';
import { viewerOf } from '../record-routes/viewing.ts';

async function* lines(
  template: CreationTemplate,
  call: Seeing,
  about: TemplateResource,
  address: { readonly repoId: number; readonly id: number },
): AsyncGenerator<string> {
  yield templateHead(template);
  for await (const rows of templateRows(
    call.services.database.reader,
    address.repoId,
    address.id,
    viewerOf(call).seesSuppressed,
  ))
    yield rows.map((row) => templateLine(template, row, about)).join('');
}

function templateRoute(
  name: string,
  summary: string,
  templateFor: (release: 'R-A' | 'R-B') => CreationTemplate,
): Route {
  return defineRoute({
    method: 'GET',
    path: `/repositories/:repo_id/resources/:id/templates/${name}.csv`,
    area: 'resource',
    summary,
    doc: 'A row for each archival object of the resource, by id. The first column is empty in rows and tells headings by its text.',
    access: { all: ['view_repository'] },
    parameters: { repo_id: repositoryId(), id: id() },
    replies: { 200: { says: 'The template, as an attachment.', contentType: 'text/csv' }, 404: 'Resource not found' },
    handler: async (call) => {
      const { repo_id: repoId, id: resourceId } = call.params;
      const { row } = await readRecord(call.services.database.reader, resource, resourceId, repoId, viewerOf(call));
      // A stored body is our own canonical text.
      const body: JsonObject = JSON.parse(row.body);
      const parts = ['id_0', 'id_1', 'id_2', 'id_3'].flatMap((part) => textOf(body, part) ?? []);
      const about = {
        uri: uriOf(resource, resourceId, repoId),
        title: textOf(body, 'title') ?? row.label,
        eadId: textOf(body, 'ead_id') ?? null,
        identifier: parts.join(' '),
      };
      const template = templateFor(call.release);
      return stream(
        Readable.from(lines(template, call, about, { repoId, id: resourceId }), { objectMode: false }),
        'text/csv',
        { 'content-disposition': attachment(template.fileName(resourceId)) },
      );
    },
  });
}

/** The routes of this file. */
export const creationTemplateRoutes: readonly Route[] = [
  templateRoute('top_container_creation', 'Template for making top containers', () => topContainerTemplate),
  templateRoute('digital_object_creation', 'Template for making digital objects', digitalObjectTemplate),
];

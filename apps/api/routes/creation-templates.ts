// Prefilled templates of a resource (contract trees-and-jobs 6.7). A job makes them.
import { creationTemplate } from '#domain/jobs/creation-template.ts';
import { resource } from '#domain/kinds/resource.ts';
import type { CreationTemplateName } from '#domain/templates/creation-templates.ts';
import { readRecord } from '#store/records/reading/read.ts';
import { acceptedReply } from '../openapi/shapes/envelopes.ts';
import { asAttachment, fileByJob } from '../record-routes/job-file.ts';
import { viewerOf } from '../record-routes/viewing.ts';
import { id, repositoryId } from '../request/parameters.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';

function templateRoute(template: CreationTemplateName, operation: string, summary: string): Route {
  return defineRoute({
    method: 'GET',
    path: `/repositories/:repo_id/resources/:id/templates/${template}.csv`,
    operation,
    area: 'resources',
    summary,
    doc: 'A row for each archival object of the resource, by id. The first column is empty in rows and tells headings by its text. A job makes it; `Prefer: respond-async` gives the job, whose output file it is.',
    access: { all: ['view_repository'] },
    parameters: { repo_id: repositoryId(), id: id() },
    replies: {
      200: { says: 'The template, as an attachment.', contentType: 'text/csv' },
      ...acceptedReply,
      404: 'Resource not found',
    },
    handler: async (call) => {
      const { repo_id: repoId, id: resourceId } = call.params;
      await readRecord(call.services.database.reader, resource, resourceId, repoId, viewerOf(call));
      const { wantsSuppressed, release } = call;
      const actor = call.caller.username;
      return fileByJob(
        call,
        creationTemplate,
        { repoId, actor, resourceId, template, wantsSuppressed, release },
        { repoId, owner: actor },
        { contentType: 'text/csv; charset=utf-8', headers: asAttachment },
      );
    },
  });
}

/** The routes of this file. */
export const creationTemplateRoutes: readonly Route[] = [
  templateRoute('top_container_creation', 'getTopContainerTemplate', 'Template for making top containers'),
  templateRoute('digital_object_creation', 'getDigitalObjectTemplate', 'Template for making digital objects'),
];

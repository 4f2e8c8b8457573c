// Reports on offer, the fields of custom reports, and the files that reports use (contract trees-and-jobs 7.1). Reports are made by jobs.
import { shape } from '../openapi/shape.ts';
import { fail } from '#domain/errors.ts';
import { reportList } from '#domain/reports/reports.ts';
import { readCustomCatalogue } from '#store/reports/custom.ts';
import { text as textParameter } from '../request/parameters.ts';
import { text } from '../reply/reply.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';

const area = 'reports';

const reportCatalogue = shape.named(
  'report_catalogue',
  shape.object({
    reports: shape.mapOf(
      shape.object(
        { code: shape.text, model: shape.text, params: shape.list(shape.list(shape.anything)) },
        { description: shape.text },
      ),
    ),
    formats: shape.list(shape.text),
  }),
);

const list = defineRoute({
  method: 'GET',
  path: '/reports',
  operation: 'listReports',
  area,
  summary: 'Reports on offer',
  access: 'public',
  parameters: {},
  replies: {
    200: { says: 'Reports by code with their parameters, and the formats they come in.', shape: reportCatalogue },
  },
  handler: ({ services }) => reportList(services.config.MUNIMENT_CUSTOM_REPORTS),
});

const customFields = readCustomCatalogue();

const custom = defineRoute({
  method: 'GET',
  path: '/reports/custom_data',
  operation: 'getCustomReportFields',
  area,
  summary: 'Fields that custom reports may show',
  access: 'public',
  parameters: {},
  replies: { 200: { says: 'Fields and parts by record type.', shape: shape.mapOf(shape.anyObject) } },
  handler: () => customFields,
});

// Our reports bring their looks with them; this is for pages that show several.
const files: { readonly [path: string]: { readonly contentType: string; readonly text: string } } = {
  '/reports/static/report.css': {
    contentType: 'text/css; charset=utf-8',
    text: 'body{font-family:sans-serif}table{border-collapse:collapse}th,td{border:1px solid #999;padding:.2em .4em;text-align:left;vertical-align:top}\n',
  },
};

const assets = defineRoute({
  method: 'GET',
  path: '/reports/static/*',
  operation: 'getReportFile',
  area,
  summary: 'Files that reports use',
  access: 'public',
  parameters: { rest: textParameter({ doc: 'The end of the path of a file.', example: 'report.css' }) },
  replies: { 200: { says: 'The file.', contentType: 'text/css' }, 404: 'No such file.' },
  handler: ({ params }) => {
    const found =
      params.rest === '' ? undefined : Object.entries(files).find(([path]) => path.endsWith(`/${params.rest}`));
    if (found === undefined) throw fail('not_found', `File not found: ${params.rest}`);
    return text(found[1].text, found[1].contentType);
  },
});

/** The routes of this file. */
export const reportRoutes: readonly Route[] = [list, custom, assets];

// What follows from the declarations of exports (libs/domain/formats/define-export.ts): for each kind the route of the document, and the one
// that tells the name of its file (contract behaviour-exports 1).
import { shape } from '../openapi/shape.ts';
import { acceptedReply } from '../openapi/shapes/envelopes.ts';
import { operationName } from './names.ts';
import { Readable } from 'node:stream';
import { can, repositoriesWith } from '#domain/access/caller.ts';
import { kindNamed } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import type { Export, ExportFile, ExportOption, RecordSource } from '#domain/formats/define-export.ts';
import { valuesOf } from '#domain/formats/define-export.ts';
import { allExports } from '#domain/formats/exports.ts';
import type { ExportContext } from '#domain/formats/writing/context.ts';
import { exportFileName } from '#domain/formats/writing/file-name.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import { linkedRecordsOf } from '#store/exports/linked-records.ts';
import { readDigitalTree, readExportRecord } from '#store/exports/read-record.ts';
import { exportTree, exportViewer } from '#store/exports/read-tree.ts';
import { readRecord } from '#store/records/reading/read.ts';
import { exportContext } from '../exports/export-context.ts';
import { printedByJob } from '../exports/printed-by-job.ts';
import type { Reply } from '../reply/reply.ts';
import { redirect, stream, text } from '../reply/reply.ts';
import type { Parameter, Parameters } from '../request/parameters.ts';
import { boolean, id, repositoryId, resolve, text as textParameter } from '../request/parameters.ts';
import type { Access, Call, ReplyDoc, Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import { viewerOf } from './viewing.ts';

const area = 'exports';
const place = { repo_id: repositoryId(), id: id() };

/** A request for an export of a record. */
type ExportCall = Call<{ readonly repo_id: number; readonly id: number }, unknown>;

type Asked = {
  readonly call: ExportCall;
  readonly kind: Kind;
  /** Values of the declared options. */
  readonly options: { readonly [name: string]: unknown };
  readonly includesUnpublished: boolean;
};

const parameterMakers: {
  readonly [T in ExportOption<unknown>['type']]: (option: ExportOption<never>) => Parameter<unknown>;
} = {
  flag: ({ default: fallback, doc }) =>
    fallback === undefined ? boolean({ optional: true, doc }) : boolean({ default: fallback, doc }),
  text: ({ doc }) => textParameter({ optional: true, doc }),
  component: ({ doc }) => id({ optional: true, doc }),
  refs: ({ default: fallback, doc }) => ({ ...resolve, default: fallback, doc }),
};

const parametersOf = (options: Export['options'] = {}): Parameters =>
  Object.fromEntries(
    // The maker of a type takes what options of that type have as their default.
    Object.entries(options).map(([name, option]) => [
      name,
      parameterMakers[option.type](option as ExportOption<never>),
    ]),
  );

const accessOf = ({ access }: Export): Access<unknown> =>
  access === 'public' ? 'public' : { all: ['view_repository'] };

const mayView = ({ caller, params }: ExportCall): boolean => can(caller, 'view_repository', params.repo_id);

/** Whether the caller asked for what is unpublished, and may have it. */
function includesUnpublished({ unpublished }: Export, options: Asked['options'], call: ExportCall): boolean {
  if (unpublished === 'never' || !mayView(call)) return false;
  return unpublished === 'always' || options[unpublished] === true;
}

/** Fails where the caller may not know of a record: without view_repository of an unpublished one. */
function demandShown(kind: Kind, record: JsonObject, call: ExportCall): void {
  if (record['publish'] !== true && !mayView(call)) throw fail('not_found', `${kind.model} not found`);
}

const contextOf = ({ call, includesUnpublished: includes }: Asked, repository: JsonObject | null): ExportContext =>
  exportContext(call.services.config, call.release, {
    // A repository that is not public is not named to the public.
    repository:
      repository === null || mayView(call) || repository['publish'] !== false
        ? repository
        : { ...repository, name: null },
    includesUnpublished: includes,
  });

async function answer(each: Export, asked: Asked): Promise<Reply> {
  const { call, options } = asked;
  const end = each.sentOn?.to(options, call.release) ?? null;
  if (end !== null) return redirect(302, `${addressOf(each, asked).replace(/\.\w+$/, end)}?${call.queryText}`);
  const contentType = each.mediaType.startsWith('text/') ? `${each.mediaType}; charset=utf-8` : each.mediaType;
  switch (each.reads) {
    case 'job':
      return printedByJob(call, asked.kind, each.job, (uri) => each.jobOf(uri, options), contentType);
    case 'digital object':
      return text(await writtenTree(each, asked), contentType);
    case 'record':
      return text(await writtenRecord(each, asked), contentType);
    case 'tree': {
      // Pulled as fast as the client takes it; the work ends when it goes away.
      const pieces = await writtenPieces(each, asked);
      return stream(Readable.from(pieces, { objectMode: false, highWaterMark: 64 * 1024 }), contentType);
    }
  }
}

const addressOf = (each: Export, { call, kind }: Asked): string =>
  (each.paths[kind.name] ?? '').replace(':repo_id', String(call.params.repo_id)).replace(':id', String(call.params.id));

async function writtenRecord(each: Extract<Export, { reads: 'record' }>, asked: Asked): Promise<string> {
  const { call, kind, options } = asked;
  const { reader } = call.services.database;
  const place = { kind, id: call.params.id, repoId: call.params.repo_id };
  const { record, repository } = await readExportRecord(reader, place, each.refs, viewerOf(call));
  demandShown(kind, record, call);
  const linkedFrom = each.readsLinkedFrom === true ? await linkedTo(asked) : [];
  return each.write({ record, linkedFrom }, contextOf(asked, repository), options);
}

const linkedTo = ({ call, kind, includesUnpublished: includes }: Asked): Promise<RecordSource['linkedFrom']> =>
  linkedRecordsOf(call.services.database.reader, kind.name, call.params.id, {
    publishedOnly: !includes,
    repositories: includes ? repositoriesWith(call.caller, 'view_repository') : 'all',
  });

async function writtenTree(each: Extract<Export, { reads: 'digital object' }>, asked: Asked): Promise<string> {
  const { params, services } = asked.call;
  const { repository, ...tree } = await readDigitalTree(
    services.database,
    params.id,
    params.repo_id,
    viewerOf(asked.call),
    {
      publishedOnly: !asked.includesUnpublished,
    },
  );
  return each.write(tree, contextOf(asked, repository), asked.options);
}

async function writtenPieces(
  each: Extract<Export, { reads: 'tree' }>,
  asked: Asked,
): Promise<AsyncIterable<string | Uint8Array>> {
  const { call, kind, options } = asked;
  const after = each.after?.(options) ?? null;
  const resolve = typeof each.refs === 'function' ? each.refs(options) : each.refs;
  const viewer = viewerOf(call);
  const signal = call.whenGone();
  const { root, blocks, deepest, groups, outline } = await exportTree(
    call.services.database,
    { kind, repoId: call.params.repo_id, id: call.params.id },
    {
      publishedOnly: !asked.includesUnpublished,
      resolve,
      viewer,
      signal,
      ...(each.computed === true ? { computed: true } : {}),
      ...(after === null ? {} : { after }),
      ...(each.groups === undefined ? {} : { groups: each.groups }),
    },
  );
  const context = contextOf(asked, null);
  const { exportThreads, database } = call.services;
  if (each.parts === undefined || !exportThreads.takes(outline.ids.length))
    return each.write({ root: root.record, blocks, deepest, groups }, context, options);
  // What crosses into threads is data.
  const { mayView: _, ...seen } = exportViewer(viewer);
  const { label: __, ...told } = context;
  const document = {
    name: each.name,
    options,
    kind: kind.name,
    repoId: call.params.repo_id,
    publishedOnly: !asked.includesUnpublished,
    resolve,
    viewer: seen,
    views: repositoriesWith(call.caller, 'view_repository'),
    context: told,
    deepest,
  };
  const parts = each.parts({ root: root.record, deepest }, context, options);
  return exportThreads.write(database, { asked: document, outline, parts, signal }, call.log);
}

const otherReplies = (each: Export): Route['replies'] => {
  const accepted: Route['replies'] = each.reads === 'job' ? acceptedReply : {};
  const elsewhere: Route['replies'] =
    each.sentOn === undefined ? {} : { 302: { says: each.sentOn.says, location: true } };
  return { ...accepted, ...elsewhere, ...each.refusals };
};

const exportName = ({ name }: Export, kind: Kind): string => `export${operationName(kind)}As${name}`;

const documentRoute = (each: Export, kind: Kind, path: string): Route =>
  defineRoute({
    method: 'GET',
    path,
    operation: exportName(each, kind),
    area,
    summary: each.summary,
    ...(each.reads === 'job' ? {} : { fromReplica: true }),
    ...(each.doc === undefined ? {} : { doc: each.doc }),
    ...(each.release === undefined ? {} : { release: each.release }),
    access: accessOf(each),
    parameters: { ...place, ...parametersOf(each.options) },
    replies: {
      200: { says: each.says, contentType: each.mediaType },
      ...otherReplies(each),
      404: `${kind.model} not found`,
    },
    handler: (call) => {
      const options = valuesOf(each.options, call.params);
      return answer(each, { call, kind, options, includesUnpublished: includesUnpublished(each, options, call) });
    },
  });

const fileRoute = (each: Export, file: ExportFile, kind: Kind, path: string): Route => {
  const reply: ReplyDoc = {
    says: 'The name of the file and its type.',
    shape: shape.object({ filename: shape.text, mimetype: shape.text }),
    example: { filename: file.example, mimetype: each.mediaType },
  };
  const fmtCounts = typeof file.suffix === 'function';
  return defineRoute({
    method: 'GET',
    path: path.replace(/\.\w+$/, '.:fmt/metadata'),
    operation: `${exportName(each, kind)}Metadata`,
    area,
    summary: file.summary,
    fromReplica: true,
    access: accessOf(each),
    parameters: {
      ...place,
      fmt: textParameter({
        doc: fmtCounts ? 'Suffix of the document, such as xml.' : 'Part of the path; its value is not used.',
      }),
      ...parametersOf(file.options),
    },
    replies: { 200: reply, 404: `${kind.model} not found` },
    handler: async (call): Promise<Json> => {
      const { params, services } = call;
      const isGlobal = !kind.uri.includes(':repo_id');
      const { text: found } = await readRecord(
        services.database.reader,
        kind,
        params.id,
        isGlobal ? null : params.repo_id,
        viewerOf(call),
      );
      // Records are answered as JSON objects.
      const record = JSON.parse(found) as JsonObject;
      demandShown(kind, record, call);
      const suffix = typeof file.suffix === 'function' ? file.suffix(params.fmt) : file.suffix;
      return {
        filename: exportFileName(file.base(record), suffix, new Date()),
        mimetype: file.mediaType?.(params.fmt) ?? each.mediaType,
      };
    },
  });
};

/** The routes of all exports. */
export const exportRoutes: readonly Route[] = allExports.flatMap((each) =>
  Object.entries(each.paths).flatMap(([name, path]) => {
    const kind = kindNamed(name);
    return [
      documentRoute(each, kind, path),
      ...(each.file === undefined ? [] : [fileRoute(each, each.file, kind, path)]),
    ];
  }),
);

// Answers requests of harvesters: reads what the protocol allows (libs/domain/oai), takes it from the store, and gives the reply as text in
// pieces, so that a page of large documents is never held.
import type { OaiFormat } from '#domain/formats/oai/prefixes.ts';
import { formatOf, oaiFormats } from '#domain/formats/oai/prefixes.ts';
import { publicRecord } from '#domain/formats/oai/public-record.ts';
import type { ExportContext } from '#domain/formats/writing/context.ts';
import type { JsonObject } from '#domain/json.ts';
import { objectOf, textOf } from '#domain/json.ts';
import { kindNamed, uriOf } from '#domain/addresses.ts';
import {
  closeDocument,
  openDocument,
  writeFault,
  writeFormats,
  writeHeader,
  writeIdentity,
  writeSets,
  writeToken,
} from '#domain/oai/document.ts';
import type { OaiFault } from '#domain/oai/faults.ts';
import { oaiFault } from '#domain/oai/faults.ts';
import { identifierOf, parseIdentifier } from '#domain/oai/identifiers.ts';
import type { ListRequest, OaiRequest } from '#domain/oai/request.ts';
import { parseOaiRequest } from '#domain/oai/request.ts';
import type { OaiSet } from '#domain/oai/sets.ts';
import { setNamed, setsOf } from '#domain/oai/sets.ts';
import { formatToken } from '#domain/oai/token.ts';
import type { Config } from '#domain/config.ts';
import type { Database } from '#store/connection/database.ts';
import { readOaiConfig } from '#store/settings/oai-config.ts';
import type { OaiItem, OaiSelection } from '#store/oai/pages.ts';
import {
  readOaiItem,
  readOaiPage,
  readOaiRange,
  readOaiTime,
  readRepositoryIds,
  waitForOai,
} from '#store/oai/pages.ts';
import { openOaiTree, readOaiRecords } from '#store/oai/records.ts';
import { exportContext } from '../exports/export-context.ts';
import { readOpenRepositories, textOfKey } from '#store/oai/states.ts';

/** Where a harvester asks. `baseUrl`: the address of /oai as it is known outside. `levels`: values of archival_record_level. */
export type Provider = {
  readonly database: Database;
  readonly config: Config;
  readonly baseUrl: string;
  readonly levels: readonly string[];
  /** The database, or a replica of it that shows all that is committed when this is called. */
  readonly reading: () => Promise<Database>;
};

type Pieces = AsyncIterable<string> | Iterable<string>;
type Asked = Provider & { readonly settings: JsonObject; readonly prefix: string };

/** The reply to the arguments of a request, in pieces. What can fail for reasons of ours fails before the first one, but for writers of formats. */
export async function answerHarvester(
  provider: Provider,
  pairs: readonly (readonly [string, string])[],
): Promise<AsyncIterable<string>> {
  const request = parseOaiRequest(pairs);
  const settings = await readOaiConfig(provider.database.reader);
  const asked = { ...provider, settings, prefix: textOf(settings, 'oai_record_prefix') ?? 'oai:muniment' };
  if (!('code' in request) && request.verb !== 'Identify' && request.verb !== 'ListMetadataFormats')
    await waitForOai(provider.database);
  // Before anything is read: what is written later has a later datestamp.
  const responseDate = await readOaiTime(provider.database.reader);
  // A replica's clock runs on while it waits for what was written meanwhile, so it is not asked for the time, and all from before it is there.
  const reading = async (): Promise<Asked> => ({ ...asked, database: await provider.reading() });
  const answer = 'code' in request ? request : await answerVerb(await reading(), request);
  const isFault = 'code' in answer;
  const arguments_ = isFault
    ? []
    : [...pairs.filter(([name]) => name !== 'verb'), ...pairs.filter(([name]) => name === 'verb')];
  return inEnvelope(
    openDocument({ responseDate, baseUrl: provider.baseUrl, arguments_ }),
    isFault ? [writeFault(answer)] : answer,
  );
}

async function* inEnvelope(head: string, pieces: Pieces): AsyncGenerator<string> {
  yield head;
  yield* pieces;
  yield closeDocument;
}

async function answerVerb(asked: Asked, request: OaiRequest): Promise<Pieces | OaiFault> {
  switch (request.verb) {
    case 'Identify':
      return [
        writeIdentity(
          {
            name: textOf(asked.settings, 'oai_repository_name') ?? '',
            email: textOf(asked.settings, 'oai_admin_email') ?? '',
            prefix: asked.prefix,
            sampleIdentifier: idOf(asked, '/repositories/2/resources/1'),
          },
          asked.baseUrl,
        ),
      ];
    case 'ListSets': {
      const sets = await readSets(asked);
      return sets.length === 0 ? oaiFault('noSetHierarchy') : [writeSets(sets)];
    }
    case 'ListMetadataFormats':
      return answerFormats(asked, request.identifier);
    case 'GetRecord':
      return answerRecord(asked, request.identifier, request.prefix);
    default:
      return answerList(asked, request.verb, request.list);
  }
}

const idOf = ({ prefix, config }: Asked, uri: string): string => identifierOf(prefix, uri, config.MUNIMENT_RELEASE);

async function answerFormats(asked: Asked, identifier: string | null): Promise<Pieces | OaiFault> {
  if (identifier === null) return [writeFormats(oaiFormats)];
  const key = parseIdentifier(asked.prefix, identifier);
  const item = key === null ? null : await readOaiItem(asked.database.reader, key);
  if (key === null || item === null) return oaiFault('idDoesNotExist');
  const formats = oaiFormats.filter(({ kinds }) => kinds.includes(key.kind));
  return formats.length === 0 ? oaiFault('noMetadataFormats') : [writeFormats(formats)];
}

async function answerRecord(asked: Asked, identifier: string, prefix: string): Promise<Pieces | OaiFault> {
  const key = parseIdentifier(asked.prefix, identifier);
  const item = key === null ? null : await readOaiItem(asked.database.reader, key);
  if (key === null || item === null) return oaiFault('idDoesNotExist');
  const format = formatOf(prefix);
  if (format === undefined || !format.kinds.includes(key.kind)) return oaiFault('cannotDisseminateFormat');
  return inElement('GetRecord', await writeRecords(asked, [item], format), '');
}

async function answerList(
  asked: Asked,
  verb: 'ListIdentifiers' | 'ListRecords',
  list: ListRequest,
): Promise<Pieces | OaiFault> {
  const start = await startOf(asked, list);
  if ('code' in start) return start;
  const { format, set, cursor, isBounded } = start;
  const { reader } = asked.database;
  const choice = { kinds: format.kinds, selection: await selectionOf(asked, set), limit: format.pageSize };
  let page = await readOaiPage(reader, start.range, choice);
  if (page.items.length === 0 && cursor > 0 && !isBounded) {
    // All that was left has changed since the list began, and stands behind it now: a list may not end in an error.
    page = {
      ...(await readOaiPage(reader, { after: start.range.upTo, upTo: Number.MAX_SAFE_INTEGER }, choice)),
      rest: null,
    };
  }
  if (page.items.length === 0) return oaiFault('noRecordsMatch');
  const token =
    page.rest === null
      ? null
      : formatToken({
          prefix: format.prefix,
          set: set?.spec ?? null,
          ...page.rest,
          cursor: cursor + page.items.length,
          isBounded,
        });
  const end = token === null && cursor === 0 ? '' : writeToken(token, cursor);
  const pieces =
    verb === 'ListIdentifiers'
      ? page.items.map((item) => writeHeader(headerOf(asked, item)))
      : await writeRecords(asked, page.items, format);
  return inElement(verb, pieces, end);
}

type Start = {
  readonly format: OaiFormat;
  readonly set: OaiSet | null;
  readonly range: { readonly after: number; readonly upTo: number };
  readonly cursor: number;
  readonly isBounded: boolean;
};

async function startOf(asked: Asked, list: ListRequest): Promise<Start | OaiFault> {
  if ('token' in list) {
    const { prefix, set: spec, after, upTo, cursor, isBounded } = list.token;
    const format = formatOf(prefix);
    const set = spec === null ? null : setNamed(await readSets(asked), spec);
    // A set or a format that was taken away since: begin anew.
    return format === undefined || set === undefined
      ? oaiFault('badResumptionToken')
      : { format, set, range: { after, upTo }, cursor, isBounded };
  }
  const format = formatOf(list.prefix);
  if (format === undefined) return oaiFault('cannotDisseminateFormat');
  const sets = list.set === null ? [] : await readSets(asked);
  if (list.set !== null && sets.length === 0) return oaiFault('noSetHierarchy');
  const set = list.set === null ? null : setNamed(sets, list.set);
  if (set === undefined) return oaiFault('noRecordsMatch');
  return {
    format,
    set,
    range: await readOaiRange(asked.database.reader, list.period),
    cursor: 0,
    isBounded: list.period.until !== null,
  };
}

async function readSets({ database, settings, levels }: Asked): Promise<readonly OaiSet[]> {
  const open = await readOpenRepositories(database.reader);
  const shown = levels.filter((level) =>
    open.some(({ levels: allowed }) => allowed === null || allowed.split(',').includes(level)),
  );
  return setsOf(settings, shown);
}

async function selectionOf({ database }: Asked, set: OaiSet | null): Promise<OaiSelection> {
  if (set === null) return {};
  if ('codes' in set) return { repositories: await readRepositoryIds(database.reader, set.codes) };
  return 'sponsors' in set ? { sponsors: set.sponsors } : { level: set.level };
}

const headerOf = (asked: Asked, { kind, id, repoId, datestamp, deleted }: OaiItem) => ({
  identifier: idOf(asked, uriOf(kindNamed(kind), id, repoId)),
  datestamp,
  deleted,
});

async function writeRecords(
  asked: Asked,
  items: readonly OaiItem[],
  format: OaiFormat,
): Promise<AsyncIterable<string>> {
  const records = await readOaiRecords(
    asked.database.reader,
    items.filter(({ deleted }) => !deleted),
  );
  return recordPieces(asked, items, format, records);
}

async function* recordPieces(
  asked: Asked,
  items: readonly OaiItem[],
  format: OaiFormat,
  records: ReadonlyMap<string, JsonObject>,
): AsyncGenerator<string> {
  for (const item of items) {
    const record = item.deleted ? undefined : records.get(textOfKey(item));
    yield `<record>${writeHeader(headerOf(asked, { ...item, deleted: record === undefined }))}`;
    if (record !== undefined) {
      yield '<metadata>';
      const context = contextOf(asked, record);
      if (format.reads === 'record') yield format.write({ record: publicRecord(record), linkedFrom: [] }, context);
      else yield* format.write(await openOaiTree(asked.database, item), context);
      yield '</metadata>';
    }
    yield '</record>';
  }
}

function contextOf({ config, baseUrl }: Asked, record: JsonObject): ExportContext {
  return {
    ...exportContext(config, config.MUNIMENT_RELEASE, {
      repository: objectOf(objectOf(record, 'repository'), '_resolved') ?? null,
      includesUnpublished: false,
    }),
    publicUrl: config.MUNIMENT_PUBLIC_URL.replace(/\/+$/, ''),
    serviceUrl: baseUrl.replace(/\/oai$/, ''),
  };
}

async function* inElement(name: string, pieces: Pieces, end: string): AsyncGenerator<string> {
  yield `<${name}>`;
  yield* pieces;
  yield `${end}</${name}>`;
}

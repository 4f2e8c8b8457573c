// The OAI-PMH provider over HTTP (contract interface.md; behaviour-oai.md): whatever a harvester sends is answered in the protocol's XML.
import { shape } from '../openapi/shape.ts';
import { Readable, pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import { oaiFormats } from '#domain/formats/oai/prefixes.ts';
import { textOf } from '#domain/json.ts';
import { identifierOf } from '#domain/oai/identifiers.ts';
import { writeSamplePage } from '#domain/oai/sample-page.ts';
import { readOaiConfig } from '#store/settings/oai-config.ts';
import { textBody } from '../request/body.ts';
import { pairsOf } from '../request/form.ts';
import type { Provider } from '../oai/answer.ts';
import { answerHarvester } from '../oai/answer.ts';
import { anything } from '../request/parameters.ts';
import { acceptsGzip } from '../reply/accepts-gzip.ts';
import { policyOfPages } from '../reply/page-policy.ts';
import type { Reply } from '../reply/reply.ts';
import { stream, text } from '../reply/reply.ts';
import type { Call, Route } from '../route.ts';
import { defineRoute } from '../route.ts';

const area = 'OAI-PMH';
type AnyCall = Pick<Call<unknown, unknown>, 'services' | 'headers' | 'queryText'>;

// Read as they were sent (queryText), since the protocol says what may be repeated and what is unknown; declared for the documentation.
const argument = (doc: string) => anything({ optional: true, doc });
const parameters = {
  verb: argument('Identify, ListMetadataFormats, ListSets, GetRecord, ListIdentifiers or ListRecords.'),
  metadataPrefix: argument(`The format: ${oaiFormats.map(({ prefix }) => prefix).join(', ')}.`),
  from: argument('Records changed at this time or later: YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ.'),
  until: argument('Records changed at this time or earlier, in the granularity of `from`.'),
  resumptionToken: argument('The token of the page before; alone beside the verb.'),
  set: argument('A set, as ListSets tells them.'),
  identifier: argument('The identifier of a record.'),
};
const doc = 'OAI-PMH 2.0. Errors are replies of the protocol, under status 200.';
const replies = { 200: { says: 'A document of the protocol.', contentType: 'text/xml' } };
const contentType = 'text/xml';

const baseUrlOf = ({ services, headers }: AnyCall): string =>
  services.config.MUNIMENT_OAI_URL || `http://${headers['host'] ?? 'localhost'}/oai`;

function providerOf(call: AnyCall): Provider {
  const { database, config, enumerations, onReplica } = call.services;
  return {
    database,
    reading: async () => (await onReplica(null, 'all'))?.database ?? database,
    config,
    baseUrl: baseUrlOf(call),
    levels: enumerations.get('archival_record_level')?.values ?? [],
  };
}

async function harvesterReply(call: AnyCall, body: string): Promise<Reply> {
  const pieces = await answerHarvester(providerOf(call), [...pairsOf(call.queryText), ...pairsOf(body)]);
  const plain = Readable.from(pieces, { objectMode: false });
  if (!acceptsGzip(call.headers['accept-encoding'])) return stream(plain, contentType, { vary: 'accept-encoding' });
  // A failure destroys the compressed stream, which cuts the connection.
  return stream(
    pipeline(plain, createGzip({ level: 4 }), () => undefined),
    contentType,
    { 'content-encoding': 'gzip', vary: 'accept-encoding' },
  );
}

const get = defineRoute({
  method: 'GET',
  path: '/oai',
  operation: 'harvest',
  area,
  summary: 'OAI-PMH',
  doc,
  access: 'public',
  parameters,
  replies,
  handler: (call) => harvesterReply(call, ''),
});

const post = defineRoute({
  method: 'POST',
  path: '/oai',
  operation: 'harvestByForm',
  area,
  summary: 'OAI-PMH, with the arguments as a form',
  doc,
  access: 'public',
  parameters: {},
  body: textBody({
    doc: 'The same arguments.',
    mediaType: 'application/x-www-form-urlencoded',
    shape: shape.object(
      { verb: shape.text },
      Object.fromEntries(Object.keys(parameters).map((name) => [name, shape.text])),
    ),
    example: 'verb=Identify',
    optional: true,
  }),
  replies,
  repeatable: false,
  handler: (call) => harvesterReply(call, call.body),
});

const sample = defineRoute({
  method: 'GET',
  path: '/oai_sample',
  operation: 'getOaiSample',
  area,
  summary: 'Form for trying OAI',
  access: 'public',
  parameters: {},
  replies: { 200: { says: 'A page with links and forms.', contentType: 'text/html' } },
  handler: async (call) => {
    const settings = await readOaiConfig(call.services.database.reader);
    const { levels, config } = providerOf(call);
    const page = writeSamplePage({
      name: textOf(settings, 'oai_repository_name') ?? '',
      baseUrl: baseUrlOf(call),
      prefixes: oaiFormats.map(({ prefix }) => prefix),
      sets: levels,
      identifier: identifierOf(
        textOf(settings, 'oai_record_prefix') ?? '',
        '/repositories/2/resources/1',
        config.MUNIMENT_RELEASE,
      ),
    });
    // Its forms go to where the provider says it is, which may be another address than this one; of what clients name as their host, none.
    const policy = policyOfPages(URL.parse(baseUrlOf(call))?.origin ?? "'self'");
    return text(page, 'text/html;charset=utf-8', 200, { 'content-security-policy': policy });
  },
});

/** The routes of this file. */
export const oaiRoutes: readonly Route[] = [get, post, sample];

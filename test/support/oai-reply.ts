// What an OAI-PMH provider answers, read as a harvester reads it: with a parser that is not ours, and only where it is well formed.
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { z } from 'zod';

/** A record of a reply; `metadata` is the inside of that element as it was sent, '' in lists of headers and for what is deleted. */
export type Harvested = {
  readonly identifier: string;
  readonly datestamp: string;
  readonly deleted: boolean;
  readonly sets: readonly string[];
  readonly metadata: string;
};

/** A reply; `token` is null on the last page, `error` the code of the first error. */
export type OaiReply = {
  readonly time: string;
  readonly error: string | undefined;
  readonly token: string | null;
  readonly records: readonly Harvested[];
  readonly prefixes: readonly string[];
  readonly sets: readonly string[];
};

// An element with attributes is an object to the parser, one without is its text.
const Text = z.union([z.string(), z.looseObject({ '#text': z.string().default('') }).transform((it) => it['#text'])]);
const Header = z.looseObject({
  identifier: Text,
  datestamp: Text,
  '@_status': z.string().optional(),
  setSpec: z.array(Text).default([]),
});
const List = z
  .looseObject({
    record: z.array(z.looseObject({ header: z.array(Header), metadata: Text.default('') })).default([]),
    header: z.array(Header).default([]),
    resumptionToken: Text.default(''),
    metadataFormat: z.array(z.looseObject({ metadataPrefix: Text })).default([]),
    set: z.array(z.looseObject({ setSpec: z.array(Text) })).default([]),
  })
  .optional();
const Reply = z.object({
  'OAI-PMH': z.looseObject({
    responseDate: Text,
    error: z.array(z.looseObject({ '@_code': z.string() })).default([]),
    GetRecord: List,
    ListRecords: List,
    ListIdentifiers: List,
    ListMetadataFormats: List,
    ListSets: List,
  }),
});

const repeated = new Set(['record', 'header', 'setSpec', 'metadataFormat', 'set', 'error']);
const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  isArray: (name) => repeated.has(name),
  stopNodes: ['OAI-PMH.GetRecord.record.metadata', 'OAI-PMH.ListRecords.record.metadata'],
});
const inOrder = new XMLParser({ preserveOrder: true, removeNSPrefix: true, parseTagValue: false, trimValues: false });

/** Reads a reply. Throws where it is not well formed, or is none. */
export function readOaiReply(xml: string): OaiReply {
  checkWellFormed(xml);
  const reply = Reply.parse(parser.parse(xml))['OAI-PMH'];
  const lists = [reply.GetRecord, reply.ListRecords, reply.ListIdentifiers, reply.ListMetadataFormats, reply.ListSets];
  const list = lists.find((each) => each !== undefined);
  const records = [
    ...(list?.record ?? []).flatMap(({ header, metadata }) => header.map((each) => ({ ...each, metadata }))),
    ...(list?.header ?? []).map((each) => ({ ...each, metadata: '' })),
  ];
  return {
    time: reply.responseDate,
    error: reply.error[0]?.['@_code'],
    token: list?.resumptionToken === undefined || list.resumptionToken === '' ? null : list.resumptionToken,
    records: records.map(({ identifier, datestamp, setSpec, metadata, '@_status': status }) => ({
      identifier,
      datestamp,
      deleted: status === 'deleted',
      sets: setSpec,
      metadata,
    })),
    prefixes: (list?.metadataFormat ?? []).map(({ metadataPrefix }) => metadataPrefix),
    sets: (list?.set ?? []).flatMap(({ setSpec }) => setSpec),
  };
}

/** The statements of a Dublin Core description in their order, as `name: text`. */
export function statementsIn(metadata: string): readonly string[] {
  checkWellFormed(metadata);
  const [description = {}] = Nodes.parse(inOrder.parse(metadata));
  const [[, inside] = []] = elementsOf(description);
  return Nodes.parse(inside ?? []).flatMap((node) =>
    elementsOf(node).map(([name, content]) => `${name}: ${Nodes.parse(content).map(textOf).join('')}`),
  );
}

const Nodes = z.array(z.record(z.string(), z.unknown()));
const elementsOf = (node: { readonly [key: string]: unknown }) =>
  Object.entries(node).filter(([key]) => key !== ':@' && key !== '#text');
const textOf = (node: { readonly [key: string]: unknown }): string => String(node['#text'] ?? '');

function checkWellFormed(xml: string): void {
  const checked = XMLValidator.validate(xml);
  if (checked !== true) throw new Error(`not well formed: ${checked.err.msg} (line ${checked.err.line})`);
}

// What a running server of the contract answered to harvesters (test/contract/data/oai-examples.json), against one service per release that
// holds the same record. Where Muniment answers otherwise, the table says what and why.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { contractData, startTestApi } from '#test/support/api.ts';
import type { Exchange } from '#test/support/replay.ts';
import { change, makeResource } from './records.ts';

// Copied from the contract's examples.jsonl and of this shape.
const recorded = contractData('oai-examples.json') as readonly Exchange[];

/** Exchanges whose answer is another one here: how the recorded text becomes ours. */
const deviations: {
  readonly [exchange: string]: {
    readonly why: string;
    readonly text: (recorded: string) => string;
    readonly status?: number;
  };
} = {
  'oai Identify': {
    why: 'The identifier is one that is accepted, and compression is told (OAI-PMH 2.0, 3.1.3 and 4.2).',
    text: (text) =>
      text
        .replace('archivesspace//repositories', 'archivesspace:/repositories')
        .replace('</granularity>', '</granularity><compression>gzip</compression>'),
  },
  'oai ListMetadataFormats': {
    why: 'EAD3 is an addition.',
    text: (text) => text,
  },
  'oai ListIdentifiers': { why: 'A list of one page has no token; deletions are in the list.', text: withoutToken },
  'oai ListRecords': { why: 'A list of one page has no token; deletions are in the list.', text: withoutToken },
  'oai no verb': {
    why: 'An error of the protocol (precedence.md).',
    status: 200,
    text: () =>
      fault(
        'badVerb',
        'Value of the verb argument is not a legal OAI-PMH verb, the verb argument is missing, or the verb argument is repeated.',
      ),
  },
  'oai bad token': {
    why: 'An error of the protocol (precedence.md).',
    status: 200,
    text: () => fault('badResumptionToken', 'The value of the resumptionToken argument is invalid or expired.'),
  },
};

const head =
  '<?xml version="1.0" encoding="UTF-8"?><OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/ http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd"><responseDate>(time)</responseDate><request>http://your-public-oai-url.example.com</request>';
const fault = (code: string, message: string): string => `${head}<error code="${code}">${message}</error></OAI-PMH>`;

function withoutToken(text: string): string {
  return text.replace(/<resumptionToken>.*?<\/resumptionToken>/, '');
}

// Blanks between elements and moments differ between any two runs; other formats come and go with the registry.
const plain = (text: string): string =>
  text
    .replaceAll('@RUN@', 'q7')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, (time) => (time.startsWith('1970') ? time : '(time)'))
    .replaceAll('>\n<', '><');

describe.each(['R-B', 'R-A'] as const)('a provider of release %s answers as recorded', (release) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({
      environment: {
        MUNIMENT_RELEASE: release,
        MUNIMENT_OAI_URL: 'http://your-public-oai-url.example.com',
        MUNIMENT_PUBLIC_URL: 'http://localhost:8081',
      },
    });
    const repoId = await api.repository('RE');
    await change(api, `/repositories/${repoId}`, { publish: true, name: 'Renamed' });
    const subject = await api.create('/subjects', {
      vocabulary: '/vocabularies/1',
      source: 'local',
      terms: [{ term: 'twoq7', term_type: 'topical', vocabulary: '/vocabularies/1' }],
    });
    const agent = await api.create('/agents/people', {
      publish: false,
      names: [{ primary_name: 'Somebody', name_order: 'direct', source: 'local', sort_name_auto_generate: true }],
    });
    await makeResource(api, repoId, 'RSq7', {
      title: 'A resource',
      dates: [{ date_type: 'inclusive', label: 'creation', begin: '1900', end: '1950', expression: '1900-1950' }],
      subjects: [{ ref: subject }],
      linked_agents: [{ role: 'creator', ref: agent }],
      notes: [
        {
          jsonmodel_type: 'note_multipart',
          type: 'scopecontent',
          publish: true,
          subnotes: [{ jsonmodel_type: 'note_text', content: 'Some scope', publish: true }],
        },
        { jsonmodel_type: 'note_singlepart', type: 'abstract', content: ['An abstract'], publish: true },
      ],
    });
    await api.post('/oai_config', {
      oai_record_prefix: 'oai:archivesspace',
      oai_admin_email: 'admin@example.com',
      oai_repository_name: 'ArchivesSpace OAI Provider',
    });
  });
  afterAll(async () => api[Symbol.asyncDispose]());

  const own = new Map(
    recorded.filter((exchange) => exchange.release === release).map((exchange) => [exchange.name, exchange]),
  );
  const exchanges = recorded
    .filter((exchange) => exchange.release === 'R-B')
    .map((exchange) => own.get(exchange.name) ?? exchange);

  it.each(exchanges.map((exchange) => [exchange.name, exchange] as const))('%s', async (name, exchange) => {
    const reply = await api.ask(exchange.request.path, { session: null });
    const deviation = deviations[name];
    expect(reply.status).toBe(deviation?.status ?? exchange.status);
    if (deviation?.status === undefined) expect(reply.headers.get('content-type')).toBe(exchange.content_type);
    // The page is ours; it is looked at elsewhere.
    if (name === 'oai_sample') return;
    const wanted = plain(String(exchange.body));
    const got = plain(reply.text).replace(
      name === 'oai ListMetadataFormats' ? /<metadataFormat><metadataPrefix>oai_ead3<.*?<\/metadataFormat>/g : /$^/,
      '',
    );
    const turned = (deviation?.text(wanted) ?? wanted).replace(
      'archivesspace:/repositories/2/resources/1</sampleIdentifier>',
      `archivesspace${release === 'R-A' ? '/' : ':'}/repositories/2/resources/1</sampleIdentifier>`,
    );
    expect(got).toBe(turned);
  });
});

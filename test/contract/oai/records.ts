// Published descriptions for harvesting tests, and reading of what a provider answers.
import type { TestApi } from '#test/support/api.ts';

/** A record of a reply. */
export type Harvested = {
  readonly identifier: string;
  readonly datestamp: string;
  readonly deleted: boolean;
  readonly xml: string;
};

/** The records or headers of a reply, in order. */
export function recordsIn(xml: string): readonly Harvested[] {
  const parts = xml.includes('<record>') ? xml.split('<record>').slice(1) : xml.split(/(?=<header[ >])/).slice(1);
  return parts.map((part) => ({
    identifier: /<identifier>(.*?)<\/identifier>/.exec(part)?.[1] ?? '',
    datestamp: /<datestamp>(.*?)<\/datestamp>/.exec(part)?.[1] ?? '',
    deleted: part.includes('status="deleted"'),
    xml: part.replace(/<\/record>.*$|<\/header>(?!<metadata>).*$/s, ''),
  }));
}

/** The token of a reply, or null. */
export const tokenIn = (xml: string): string | null => /<resumptionToken[^>]*>([^<]+)</.exec(xml)?.[1] ?? null;

/** The code of the error of a reply. */
export const codeIn = (xml: string): string | undefined => /<error code="(\w+)"/.exec(xml)?.[1];

/** The time of a reply. */
export const timeIn = (xml: string): string => /<responseDate>(.*?)</.exec(xml)?.[1] ?? '';

/** Asks the provider without a session. */
export async function oai(api: Pick<TestApi, 'ask'>, args: { readonly [name: string]: string }): Promise<string> {
  const reply = await api.ask(`/oai?${new URLSearchParams(args).toString()}`, { session: null });
  if (reply.status !== 200 || !(reply.headers.get('content-type') ?? '').startsWith('text/xml'))
    throw new Error(`${reply.status} ${reply.text}`);
  return reply.text;
}

/** All pages of a list; `between` is called before each further page. */
export async function harvest(
  api: Pick<TestApi, 'ask'>,
  args: { readonly [name: string]: string },
  between: () => Promise<void> = async () => undefined,
): Promise<{ readonly records: readonly Harvested[]; readonly pages: number; readonly time: string }> {
  const verb = args['verb'] ?? 'ListRecords';
  let xml = await oai(api, { metadataPrefix: 'oai_dc', ...args, verb });
  const time = timeIn(xml);
  const records = [...recordsIn(xml)];
  let pages = 1;
  for (let token = tokenIn(xml); token !== null; token = tokenIn(xml)) {
    await between();
    xml = await oai(api, { verb, resumptionToken: token });
    records.push(...recordsIn(xml));
    pages += 1;
  }
  return { records, pages, time };
}

/** Makes a published resource and gives its uri. */
export async function makeResource(api: TestApi, repoId: number, id: string, changes: object = {}): Promise<string> {
  return api.create(`/repositories/${repoId}/resources`, {
    id_0: id,
    title: `Papers ${id}`,
    level: 'collection',
    publish: true,
    finding_aid_language: 'eng',
    finding_aid_script: 'Latn',
    extents: [{ portion: 'whole', number: '3', extent_type: 'linear_feet' }],
    dates: [{ date_type: 'inclusive', label: 'creation', begin: '1900', end: '1950' }],
    lang_materials: [{ language_and_script: { language: 'eng', script: 'Latn' } }],
    ...changes,
  });
}

/** Makes a published component and gives its uri. */
export async function makeComponent(
  api: TestApi,
  resource: string,
  title: string,
  changes: object = {},
): Promise<string> {
  return api.create(`/repositories/${resource.split('/')[2]}/archival_objects`, {
    title,
    level: 'file',
    publish: true,
    resource: { ref: resource },
    ...changes,
  });
}

/** Changes properties of a record. */
export async function change(api: TestApi, uri: string, changes: object): Promise<void> {
  const { json } = await api.get(uri);
  const reply = await api.post(uri, { ...json, ...changes });
  if (reply.status !== 200) throw new Error(`${uri}: ${reply.text}`);
}

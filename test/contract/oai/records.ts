// Published descriptions for harvesting tests, and reading of what a provider answers.
import type { TestApi } from '#test/support/api.ts';
import type { Harvested } from '#test/support/oai-reply.ts';
import { readOaiReply } from '#test/support/oai-reply.ts';

/** The records or headers of a reply, in order. */
export const recordsIn = (xml: string): readonly Harvested[] => readOaiReply(xml).records;

/** The token of a reply, or null. */
export const tokenIn = (xml: string): string | null => readOaiReply(xml).token;

/** The code of the error of a reply. */
export const codeIn = (xml: string): string | undefined => readOaiReply(xml).error;

/** The time of a reply. */
export const timeIn = (xml: string): string => readOaiReply(xml).time;

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
  let reply = readOaiReply(await oai(api, { metadataPrefix: 'oai_dc', ...args, verb }));
  const { time } = reply;
  const records = [...reply.records];
  let pages = 1;
  while (reply.token !== null) {
    await between();
    reply = readOaiReply(await oai(api, { verb, resumptionToken: reply.token }));
    records.push(...reply.records);
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

// `muniment search`: one page of what is found, in one repository or in all.
import type { Command } from 'commander';
import { pause } from '#client/retries.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject, objectOf, objectsOf, textOf, textsOf } from '#domain/json.ts';
import type { Client, Query } from '../client.ts';
import type { ConnectionOptions } from '../credentials.ts';
import { addConnectionOptions } from '../credentials.ts';
import type { Environment } from '../environment.ts';
import { withClient } from '../environment.ts';
import { CliFailure } from '../failure.ts';
import { count, shown, table } from '../output.ts';
import { findRepository } from '../repository.ts';
import { positive } from './jobs.ts';

type SearchOptions = ConnectionOptions & {
  readonly repository?: string;
  readonly type?: readonly string[];
  readonly page: number;
  readonly pageSize: number;
  readonly sort?: string;
  readonly stem?: string;
  readonly relax?: true;
  readonly didYouMean?: true;
  readonly wait?: true;
};

/** Adds the command. */
export function addSearch(program: Command, environment: Environment): void {
  const command = program
    .command('search')
    .summary('search records')
    .description(
      'Searches for words, "phrases in quotes", beginnings of words (harb*), fields (title:letters), with AND, OR and NOT. All words must be found.',
    )
    .argument('<query...>', 'what to search for')
    .option('--repository <id or code>', 'in this repository alone; users who may not see all records need it')
    .option('--type <type...>', 'only records of these types, as resource, archival_object, agent')
    .option('--page <number>', 'page of the results', positive, 1)
    .option('--page-size <number>', 'results of a page, up to 250', positive, 20)
    .option('--sort <field and direction>', 'as "title_sort asc"; otherwise by relevance')
    .option(
      '--stem <language>',
      'find words in all their forms in a language, as en; none for words as they are written',
    )
    .option('--relax', 'where all words together find little, go on with most of them')
    .option('--did-you-mean', 'where little is found, offer other spellings')
    .option('--wait', 'ask again until something is found, for a minute at most: for what has just been written')
    .addHelpText(
      'after',
      `
Examples:
  $ muniment search harbour plans
  $ muniment search 'title:letters AND NOT draft' --type resource --repository MANUSCRIPTS
  $ muniment search 'primary_type:archival_object' --page 2 --json
  $ muniment search harbr plans --relax --did-you-mean`,
    );
  addConnectionOptions(command);
  command.action((words: readonly string[], options: SearchOptions) =>
    withClient(environment, options, async ({ client, output }) => {
      const base = options.repository === undefined ? '' : (await findRepository(client, options.repository)).uri;
      const query = {
        q: words.join(' '),
        page: options.page,
        page_size: Math.min(options.pageSize, 250),
        type: options.type,
        sort: options.sort,
        stem: options.stem,
        relax: options.relax,
        did_you_mean: options.didYouMean,
      };
      const ask = (): Promise<Json> => find(client, `${base}/search`, query, base === '');
      const reply = options.wait === true ? await untilFound(ask, environment.signal) : await ask();
      const page = isObject(reply) ? reply : {};
      const rows = objectsOf(page, 'results').map((result) => [
        textOf(result, 'uri') ?? textOf(result, 'id') ?? '',
        shown(textOf(result, 'primary_type')),
        titleOf(result),
      ]);
      output.result(reply, [...table(['URI', 'TYPE', 'TITLE'], rows), headline(page)]);
      for (const line of remarks(page)) output.note(line);
    }),
  );
}

async function find(client: Client, path: string, query: Query, isEverywhere: boolean): Promise<Json> {
  try {
    return await client.ask(path, { query });
  } catch (error) {
    if (!(error instanceof CliFailure) || error.status !== 403 || !isEverywhere) throw error;
    throw new CliFailure(
      `${client.user} may not search in all repositories at once (403): name one with --repository.`,
      { status: 403, cause: error },
    );
  }
}

const longestWaitMs = 60_000;
const askAgainMs = 250;

/** Asks until there is something, or a minute has gone by: the index follows what is written within a second or so. */
async function untilFound(ask: () => Promise<Json>, signal: AbortSignal): Promise<Json> {
  const started = performance.now();
  for (;;) {
    const reply = await ask();
    const isFound = isObject(reply) && Number(reply['total_hits'] ?? 0) > 0;
    if (isFound || performance.now() - started > longestWaitMs) return reply;
    await pause(askAgainMs, signal);
  }
}

function titleOf(result: JsonObject): string {
  return shown(textOf(result, 'display_string') ?? textOf(result, 'title') ?? textOf(result, 'full_title') ?? '');
}

function headline(page: JsonObject): string {
  const total = Number(page['total_hits'] ?? 0);
  if (total === 0) return 'Nothing was found.';
  const last = Number(page['last_page'] ?? 1);
  const isLeast = objectsOf(page, 'warnings').some((warning) => textOf(warning, 'code') === 'total_is_least');
  return `${isLeast ? 'At least ' : ''}${count(total)} found${last > 1 ? `; page ${String(page['this_page'] ?? 1)} of ${count(last)}` : ''}`;
}

/** What the reply says of itself beside what was found: how a broken query was read, what is not whole, how else to ask. */
function remarks(page: JsonObject): readonly string[] {
  const hits = (found: JsonObject): string => count(Number(found['total_hits'] ?? 0));
  return [
    ...objectsOf(page, 'warnings').map((warning) => {
      const column = typeof warning['column'] === 'number' ? ` (column ${warning['column']})` : '';
      return `${shown(textOf(warning, 'message'))}${column}`;
    }),
    ...relaxation(objectOf(page, 'relaxed')),
    ...objectsOf(page, 'found_without').map((one) => `${hits(one)} found without ${shown(textOf(one, 'word'))}`),
    ...objectsOf(page, 'did_you_mean').flatMap((one) => {
      const query = textOf(one, 'query');
      return query === undefined ? [] : [`Did you mean: ${shown(query)} (${hits(one)} found)`];
    }),
  ];
}

function relaxation(relaxed: JsonObject | undefined): readonly string[] {
  if (relaxed === undefined) return [];
  const unknown = textsOf(relaxed, 'not_found');
  const spelt = objectOf(relaxed, 'spelt') ?? {};
  return [
    `${count(Number(relaxed['with_all'] ?? 0))} with all words, the others with ${String(relaxed['at_least'] ?? '')} or more of them`,
    ...(unknown.length === 0 ? [] : [`Nothing has ${unknown.map(shown).join(', ')}`]),
    ...Object.keys(spelt).map((word) => `${shown(word)} was taken for ${textsOf(spelt, word).map(shown).join(', ')}`),
  ];
}

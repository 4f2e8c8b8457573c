// What clients ask of a service, at any size of it: the least time of some rounds over HTTP, which other work of the machine disturbs least, and the
// blocks that the database looked at, which it does not disturb at all.
import { z } from 'zod';
import { column } from '#store/connection/columns.ts';
import type { Database } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import type { Client } from '../processes/client.ts';
import { repoId } from './lines.ts';

/** What was asked; milliseconds to the end of the reply, and blocks of 8 KB for one question; how many of them were refused. */
export type Asked = { readonly name: string; readonly ms: number; readonly blocks: number; readonly refused: number };

const BlocksRow = z.strictObject({ blocks: column.int });

/** Blocks that all statements of the database have looked at so far. Needs the extension pg_stat_statements. */
const readBlocks = async ({ reader }: Database): Promise<number> =>
  (
    await reader.one(
      sql.type(
        BlocksRow,
      )`SELECT coalesce(sum(shared_blks_hit + shared_blks_read), 0)::bigint AS blocks FROM pg_stat_statements`,
    )
  ).blocks;

const WordRow = z.strictObject({ word: column.text });

/** Asks each question `rounds` times, each time for something else of its kind, and once before that is not counted. */
export async function askQuestions(
  client: Client,
  database: Database,
  components: number,
  rounds: number,
): Promise<readonly Asked[]> {
  const word = async (order: 'ASC' | 'DESC'): Promise<string> =>
    (
      await database.reader.maybeOne(
        sql.type(WordRow)`SELECT word FROM search_lexeme WHERE word ~ '^[a-z]{4,}$' ORDER BY df ${
          order === 'ASC' ? sql.fragment`ASC` : sql.fragment`DESC`
        }, word LIMIT 1`,
      )
    )?.word ?? 'ledger';
  const [common, rare] = [await word('DESC'), await word('ASC')];
  const repository = `/repositories/${repoId}`;
  const somewhere = (n: number): number => 1 + Math.floor(((n * Math.SQRT2) % 1) * (components - 1));
  const seriesOf = (n: number): number => 1 + 1000 * Math.floor((somewhere(n) - 1) / 1000);
  const pages = Math.max(1, Math.floor(components / 25));
  const questions: { readonly [name: string]: (n: number) => string } = {
    'one component': (n) => `${repository}/archival_objects/${somewhere(n)}`,
    'the same with what is above it': (n) => `${repository}/archival_objects/${somewhere(n)}?resolve[]=ancestors`,
    'the first page of 25': () => `${repository}/archival_objects?page=1&page_size=25`,
    'the last page of 25': () => `${repository}/archival_objects?page=${pages}&page_size=25`,
    'a hundred by their ids': (n) =>
      `${repository}/archival_objects?id_set=${Array.from({ length: 100 }, (_, k) => somewhere(n * 100 + k)).join(',')}`,
    'the root of the tree': () => `${repository}/resources/1/tree/root`,
    'a series in the tree': (n) =>
      `${repository}/resources/1/tree/node?node_uri=${repository}/archival_objects/${seriesOf(n)}`,
    'a window of a series': (n) =>
      `${repository}/resources/1/tree/waypoint?offset=1&parent_node=${repository}/archival_objects/${seriesOf(n)}`,
    [`a search for a common word (${common})`]: () => `${repository}/search?q=${common}&page=1`,
    'the same with two facets': () => `${repository}/search?q=${common}&page=1&facet[]=level&facet[]=primary_type`,
    [`a search for a rare word (${rare})`]: () => `${repository}/search?q=${rare}&page=1`,
    'a search for one number': (n) => `${repository}/search?q=${somewhere(n)}&page=1`,
    'a search for everything': () => `${repository}/search?q=*:*&page=1`,
  };
  const asked: Asked[] = [];
  for (const [name, pathOf] of Object.entries(questions)) {
    const times: number[] = [];
    let blocks = 0;
    let refused = 0;
    for (let n = 0; n <= rounds; n++) {
      if (n === 1) blocks = await readBlocks(database);
      const started = performance.now();
      // A search that takes too long says so; that is a number too, and no reason to throw the others away.
      await client.get(pathOf(n)).catch((error: unknown) => {
        if (!String(error).includes(': 503 ')) throw error;
        refused += 1;
      });
      if (n > 0) times.push(performance.now() - started);
    }
    asked.push({
      name,
      ms: Math.min(...times),
      blocks: Math.round(((await readBlocks(database)) - blocks) / rounds),
      refused,
    });
  }
  return asked;
}

// The word list of the index: which words there are, for patterns and near spellings, and in how many documents, for ranking.
// Words must be there with their document; the numbers only weigh, so many small additions are put together and written now and then.
import { z } from 'zod';
import type { Database, Transaction } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';

type Counts = readonly (readonly [word: string, count: number])[];

/** Adds to the numbers of words, making those that are new. */
export async function countWords(tx: Transaction, counts: Counts): Promise<void> {
  if (counts.length === 0) return;
  await tx.run(sql`
    INSERT INTO search_lexeme AS l (word, df) SELECT word, n FROM ${sql.unnest(
      counts.map(([word, count]) => [word, count]),
      ['text', 'int4'],
    )} AS w (word, n)
    ORDER BY word COLLATE "C" ON CONFLICT (word) DO UPDATE SET df = l.df + excluded.df`);
}

/** Counts words for one process: new ones are written with their documents, further numbers by `flush`. */
export type WordCounter = {
  /** Makes words that may be new, in the transaction of their documents. Gives what to remember once it has committed. */
  add(tx: Transaction, counts: Counts): Promise<() => void>;
  /** Writes the numbers gathered since. Numbers that a killed process held are lost until the next full build. */
  flush(database: Database): Promise<void>;
  readonly waiting: number;
};

const mostKnown = 300_000;

const WordRow = z.strictObject({ word: column.text });

/** Makes a counter. */
export function createWordCounter(): WordCounter {
  const known = new Set<string>();
  let waiting = new Map<string, number>();
  return {
    add: async (tx, counts) => {
      const unknown = counts.filter(([word]) => !known.has(word));
      // Most new words are of one document and never met again: these are written once, with their number.
      const made =
        unknown.length === 0
          ? []
          : await tx.any(sql.type(WordRow)`
          INSERT INTO search_lexeme (word, df) SELECT word, n FROM ${sql.unnest(unknown, ['text', 'int4'])} AS w (word, n)
          WHERE NOT EXISTS (SELECT FROM search_lexeme l WHERE l.word = w.word) ORDER BY word COLLATE "C" ON CONFLICT (word) DO NOTHING RETURNING word`);
      return () => {
        const written = new Set(made.map(({ word }) => word));
        if (known.size > mostKnown) known.clear();
        for (const [word] of unknown) known.add(word);
        for (const [word, count] of counts)
          if (count > 0 && !written.has(word)) waiting.set(word, (waiting.get(word) ?? 0) + count);
      };
    },
    flush: async (database) => {
      if (waiting.size === 0) return;
      const taken = waiting;
      waiting = new Map();
      try {
        await database.transaction((tx) =>
          countWords(
            tx,
            [...taken].sort(([a], [b]) => (a < b ? -1 : 1)),
          ),
        );
      } catch (error) {
        for (const [word, count] of taken) waiting.set(word, (waiting.get(word) ?? 0) + count);
        throw error;
      }
    },
    get waiting() {
      return waiting.size;
    },
  };
}

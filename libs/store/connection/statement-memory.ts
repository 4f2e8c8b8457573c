// Statements that are made of constants alone, prepared once under a name and kept for the life of the process.
import type { Prepared, RowSchema } from './sql.ts';

/**
 * Keeps statements by their keys, each made once; their names begin alike and are counted. Those of which there are as many as clients ask
 * for are kept up to a number of statements in all: beyond it they have no name, are planned at each execution, and are not kept.
 */
export class StatementMemory {
  readonly #prefix: string;
  readonly #most: number;
  #count = 0;

  constructor(prefix: string, most: number) {
    this.#prefix = prefix;
    this.#most = most;
  }

  /** Statements whose rows are such. `isOfFew`: its kind of keys is bounded, so that it is kept whatever else is. */
  of<Row>(parser: RowSchema<Row>): (key: string, isOfFew: boolean, textOf: () => string) => Prepared<Row> {
    const statements = new Map<string, Prepared<Row>>();
    return (key, isOfFew, textOf) => {
      const known = statements.get(key);
      if (known !== undefined) return known;
      if (!isOfFew && this.#count >= this.#most) return { name: '', text: textOf(), parser };
      const statement = { name: `${this.#prefix}_${this.#count++}`, text: textOf(), parser };
      statements.set(key, statement);
      return statement;
    };
  }
}

// The character level of reading query text: a cursor, quoted and escaped characters, and the error that names a column.
// The grammar above it is in lucene.ts.

/** A fault in query text, at a column (1-based, in characters). parseQuery turns it into a warning. */
export class ParseError extends Error {
  readonly column: number;

  constructor(message: string, column: number) {
    super(message);
    this.name = 'ParseError';
    this.column = column;
  }
}

/** A position in a text; every take… and read… method leaves it after what it read. */
export class Cursor {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The character so many places ahead; empty beyond the end. */
  peek(ahead = 0): string {
    return this.text.charAt(this.at + ahead);
  }

  /** Whether the rest begins with a text. */
  startsWith(text: string): boolean {
    return this.text.startsWith(text, this.at);
  }

  /** What a sticky pattern finds here, without moving. */
  match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text) ?? undefined;
  }

  /** What a sticky pattern finds here, moving behind it. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    const found = this.match(pattern);
    this.at += found?.[0].length ?? 0;
    return found;
  }

  /** Moves to the next character that is no blank. */
  skipBlanks(): void {
    while (this.at < this.text.length && /\s/u.test(this.peek())) {
      this.at += 1;
    }
  }

  /** At a quotation mark: the text up to the closing one, escapes resolved. Throws ParseError where there is none. */
  readQuoted(): string {
    const opened = this.at;
    let text = '';
    for (this.at += 1; this.at < this.text.length; this.at += 1) {
      if (this.peek() === '"') {
        this.at += 1;
        return text;
      }
      text += this.readCharacter();
    }
    throw this.error('a quotation mark is never closed', opened);
  }

  /** The character here, or behind a backslash the next one (a backslash itself at the end); stands on what it read. */
  readCharacter(): string {
    if (this.peek() === '\\' && this.at + 1 < this.text.length) {
      this.at += 1;
    }
    return this.peek();
  }

  /** The column of a position, 1-based, in characters. */
  columnOf(at: number): number {
    return Array.from(this.text.slice(0, at)).length + 1;
  }

  /** The error to throw for a fault at a position. */
  error(message: string, at = this.at): ParseError {
    return new ParseError(message, this.columnOf(at));
  }
}

// Lists in the logs of jobs, which may be as long as a sheet or a level of a tree.

/** The most entries of a list that a log has. */
const mostTold = 1000;

/**
 * Writes the first thousand entries into a log and counts the others in a line of its own; gives those that were written. `before` stands
 * before each: a line break where entries are of several lines.
 */
export function logList<Entry>(
  entries: readonly Entry[],
  log: (text: string) => void,
  textOf: (entry: Entry) => string,
  before = '',
): readonly Entry[] {
  const told = entries.slice(0, mostTold);
  for (const entry of told) log(`${before}${textOf(entry)}`);
  if (told.length < entries.length) log(`${before}… and ${entries.length - told.length} more`);
  return told;
}

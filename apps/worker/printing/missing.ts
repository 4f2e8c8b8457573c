// What a document lacked for want of a font, and how its job tells it.

/** What a document lacked: characters of a script, and the package that has them, where one is known. */
export type MissingScript = { readonly script: string; readonly characters: number; readonly package?: string };

/** What the log of a job says of them. */
export const tellMissing = (missing: readonly MissingScript[]): readonly string[] =>
  missing.map(
    ({ script, characters, package: from }) =>
      `Warning: no font is installed for ${characters} characters (script ${script}), which are shown as boxes${from === undefined ? '' : `; the package ${from} has them`}`,
  );

// Type checking takes as long for one changed file as for many, so mutants of several files are checked at once. Here is whose the
// faults are that the compiler found.

/** A fault that the compiler tells: the file it is in, and the code ('TS2322'). */
export type Fault = { readonly path: string; readonly code: string };

/** The faults in what `tsc --pretty false` writes. */
export function faultsIn(output: string): readonly Fault[] {
  return output.split('\n').flatMap((line) => {
    const [, path = '', code = ''] = /^(\S[^(]*)\(\d+,\d+\): error (TS\d+):/.exec(line) ?? [];
    return path === '' ? [] : [{ path: path.replaceAll('\\', '/'), code }];
  });
}

/**
 * The changed files that are to blame for the faults. A file with faults is; `again` checks others alone, where they may have been hidden
 * (after a fault of syntax types are not looked at) or where only files that nobody changed have faults.
 */
export function accused(
  faults: readonly Fault[],
  changed: readonly string[],
  again: (left: readonly string[]) => readonly string[],
): readonly string[] {
  const guilty = changed.filter((path) => faults.some((fault) => fault.path === path));
  const others = changed.filter((path) => !guilty.includes(path));
  const isClear = faults.every(({ path, code }) => guilty.includes(path) && !/^TS1\d{3}$/.test(code));
  if (isClear || others.length === 0) return guilty;
  if (guilty.length > 0) return [...guilty, ...again(others)];
  if (others.length === 1) return others;
  const half = Math.ceil(others.length / 2);
  return [...again(others.slice(0, half)), ...again(others.slice(half))];
}

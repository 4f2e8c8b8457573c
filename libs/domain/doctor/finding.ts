// What `muniment doctor` says of an installation: one finding for each thing that is wrong, or will be.

/** problem: wrong now, or data are at risk; warning: will be wrong, or serves badly; notice: could not be seen, or may be meant. */
export type Level = 'problem' | 'warning' | 'notice';

/** One finding. `id` is for programs and for the page of docs/operations.md, `says` and `advice` are for the operator. */
export type Finding = { readonly level: Level; readonly id: string; readonly says: string; readonly advice: string };

/** Makes a finding. */
export const finding = (level: Level, id: string, says: string, advice: string): Finding => ({
  level,
  id,
  says,
  advice,
});

/** Bytes in the unit that fits, for sentences. */
export function bytesText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${(bytes / 1000 ** step).toFixed(step === 0 ? 0 : 1)} ${units[step]}`;
}

/** Seconds in the unit that fits, for sentences: 90 s, 3 minutes, 5 hours, 12 days. */
export function timeText(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} minutes`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} hours` : `${Math.floor(seconds / 86_400)} days`;
}

/** The first few names of many, for sentences. */
export const someOf = (names: readonly string[]): string =>
  names.length <= 5 ? names.join(', ') : `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`;

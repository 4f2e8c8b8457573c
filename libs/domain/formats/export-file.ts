// Names of exported files as clients are told them (contract, exports 1 "Metadata endpoints").

/** `MS001_20260102_030405_UTC__ead.xml`: the base, the time, the suffix, and only characters that file systems take. */
export function exportFileName(base: string, suffix: string, at: Date): string {
  const iso = at.toISOString();
  return `${base}_${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC_${suffix}`
    .replaceAll(' ', '_')
    .replace(/[^0-9A-Za-z_.]/g, '');
}

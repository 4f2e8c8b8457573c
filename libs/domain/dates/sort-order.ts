// How dates sort: as they are stored (YYYY, YYYY-MM or YYYY-MM-DD, ISO 8601) their texts in byte order are the dates in order, and a year
// comes before its months and days. Years before 0 and after 9999 are not stored as dates, so nothing else is to be told apart.

/** The key of a date for sorting, by bytes; null where there is none, which stands last. */
export function toDateSort(date: string | null): string | null {
  return date === '' ? null : date;
}

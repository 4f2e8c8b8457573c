// What a search is asked for with, as the text of a query string or form.

type Given = string | number | boolean | readonly string[];

/** Parameters of a search; lists become `name[]=…`. */
export type Parameters = { readonly [name: string]: Given };

/** Their text: of the first page, of fifty, where they say nothing else. */
export function toQuery(parameters: Parameters): string {
  const all: Parameters = { page: 1, page_size: 50, ...parameters };
  return Object.entries(all)
    .flatMap(([name, value]) =>
      typeof value === 'object'
        ? value.map((one) => `${name}[]=${encodeURIComponent(one)}`)
        : [`${name}=${encodeURIComponent(String(value))}`],
    )
    .join('&');
}

// A page of HTML that stands by itself, for reports: no script, nothing fetched. Cells and bodies that are given are HTML already.
import { escapeAttribute, escapeText } from '#domain/formats/xml/escape.ts';

const style = `body{font:15px/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2rem}h3{font-size:1rem;margin:1.5rem 0 .3rem;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid #ccc;overflow-wrap:anywhere}
.failed,.clashing{color:#a00000}.waiting{color:#6a4a00}.imported,.valid{color:#005a20}ul{margin:.2rem 0;padding-left:1.2rem}li{overflow-wrap:anywhere}
@media (prefers-color-scheme:dark){body{color:#eee;background:#151515}a{color:#8ab4ff}th,td{border-color:#444}.failed,.clashing{color:#ff8a8a}.waiting{color:#e8c070}.imported,.valid{color:#7fd99a}}`;

/** A whole page; `title` is text, `body` the pieces below it. */
export function htmlPage(title: string, body: readonly string[]): string {
  return [
    `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<title>${escapeText(title)}</title>\n<style>${style}</style>\n</head>\n<body>\n<h1>${escapeText(title)}</h1>`,
    ...body,
    '</body>\n</html>\n',
  ].join('\n');
}

/** A heading and what is below it; nothing where there are no items. */
export const htmlSection = <Item>(
  heading: string,
  items: readonly Item[],
  write: (items: readonly Item[]) => string,
): readonly string[] => (items.length === 0 ? [] : [`<h2>${escapeText(heading)}</h2>`, write(items)]);

/** A link to an address of a service. */
export const htmlLink = (service: string, uri: string): string =>
  `<a href="${escapeAttribute(`${service}${uri}`)}">${escapeText(uri)}</a>`;

/** A table; headings are text, rows are cells of HTML. */
export const htmlTable = (headings: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<table>\n<thead><tr>${headings.map((heading) => `<th scope="col">${escapeText(heading)}</th>`).join('')}</tr></thead>\n<tbody>\n${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n')}\n</tbody>\n</table>`;

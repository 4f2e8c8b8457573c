// GET /docs/errors: docs/errors.md as a page with an anchor for each code, to which problem details link. It needs no script.
import { readFileSync } from 'node:fs';
import { escapeAttribute } from '#domain/formats/xml/escape.ts';

const source = new URL('../../../docs/errors.md', import.meta.url);

/** The page as HTML, made from docs/errors.md. */
export function errorsPage(): string {
  const [intro = '', ...sections] = readFileSync(source, 'utf8').split(/^## /m);
  const body = sections.map((section) => {
    const [code = ''] = section.split('\n', 1);
    return `<section id="${escapeAttribute(code)}">\n<h2><a href="#${escapeAttribute(code)}">${escapeAttribute(code)}</a></h2>\n${paragraphs(section.slice(code.length))}</section>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Muniment: errors</title>
<link rel="stylesheet" href="/docs/page.css">
<link rel="icon" href="/docs/icon.svg">
</head>
<body class="errors">
<header><div class="title"><h1>Errors</h1><p class="links"><a href="/docs">All operations</a></p></div></header>
<main>
${paragraphs(intro.replace(/^# .*$/m, ''))}
${body.join('\n')}
</main>
</body>
</html>
`;
}

const paragraphs = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => `<p>${inline(each)}</p>\n`)
    .join('');

/** A paragraph: `code` marked as such; of a link its text, for what it leads to is not served. */
const inline = (text: string): string =>
  escapeAttribute(text)
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/`([^`]+)`/g, '<code>$1</code>');

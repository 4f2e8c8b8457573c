// The page with requests to try (GET /oai_sample): links and forms for every verb, in plain HTML without scripts.
import { escapeAttribute, escapeText } from '../formats/xml/escape.ts';

/** What the page names. */
export type Sample = {
  readonly name: string;
  readonly baseUrl: string;
  readonly prefixes: readonly string[];
  readonly identifier: string;
  readonly sets: readonly string[];
};

/** The page as HTML. Names and addresses are escaped. */
export function writeSamplePage(sample: Sample): string {
  const name = escapeText(sample.name);
  const links = ['Identify', 'ListSets', 'ListMetadataFormats'].map(
    (verb) => `    <li><a href="${escapeAttribute(`${sample.baseUrl}?verb=${verb}`)}">${verb}</a></li>`,
  );
  const list = `${formats(sample)}\n      <div><label>From <input name="from" placeholder="YYYY-MM-DD"></label></div>\n      <div><label>Until <input name="until" placeholder="YYYY-MM-DD"></label></div>${sets(sample)}`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>${name} - Sample OAI-PMH requests</title>
  <style>body { font-family: sans-serif; margin: 2em; } form { margin-bottom: 20px; } fieldset > div { margin-bottom: .5em; } legend { font-size: 1.2em; }</style>
</head>
<body>
  <h1>${name} - Sample OAI-PMH requests</h1>
  <p>Requests go to <code>${escapeText(sample.baseUrl)}</code>.</p>
  <ul>
${links.join('\n')}
  </ul>
${form(sample, 'ListIdentifiers', list)}
${form(sample, 'ListRecords', list)}
${form(sample, 'GetRecord', `      <div><label>Identifier <input name="identifier" size="60" value="${escapeAttribute(sample.identifier)}"></label></div>\n${formats(sample)}`)}
${form(sample, 'ListRecords', '      <div><label>Resumption token <input name="resumptionToken" size="80"></label></div>', 'Next page')}
</body>
</html>
`;
}

function form({ baseUrl }: Sample, verb: string, fields: string, title = verb): string {
  return `  <form action="${escapeAttribute(baseUrl)}" method="get">
    <fieldset>
      <legend>${title}</legend>
      <input type="hidden" name="verb" value="${verb}">
${fields}
      <div><button type="submit">Send</button></div>
    </fieldset>
  </form>`;
}

const options = (values: readonly string[]): string =>
  values.map((value) => `<option>${escapeText(value)}</option>`).join('');

const formats = ({ prefixes }: Sample): string =>
  `      <div><label>Format <select name="metadataPrefix">${options(prefixes)}</select></label></div>`;

// Of no use where there is none: an empty choice would be sent as an empty set, which the protocol refuses.
const sets = ({ sets: names }: Sample): string =>
  names.length === 0
    ? ''
    : `\n      <div>Sets: ${names.map((name) => `<code>${escapeText(name)}</code>`).join(', ')}</div>`;

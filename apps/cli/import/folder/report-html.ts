// The report of a folder as one HTML page that stands by itself: no script, nothing fetched, everything from files escaped.
import { escapeAttribute, escapeText } from '#domain/formats/xml/escape.ts';
import { count } from '../../output.ts';
import { wordsOf } from '../tally.ts';
import type { PassedOver } from './inventory.ts';
import type { Clash, FileResult, FolderOutcome } from './results.ts';

const style = `body{font:15px/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2rem}h3{font-size:1rem;margin:1.5rem 0 .3rem;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid #ccc;overflow-wrap:anywhere}
.failed,.clashing{color:#a00000}.waiting{color:#6a4a00}.imported,.valid{color:#005a20}ul{margin:.2rem 0;padding-left:1.2rem}li{overflow-wrap:anywhere}
@media (prefers-color-scheme:dark){body{color:#eee;background:#151515}a{color:#8ab4ff}th,td{border-color:#444}.failed,.clashing{color:#ff8a8a}.waiting{color:#e8c070}.imported,.valid{color:#7fd99a}}`;

const words = {
  imported: 'imported',
  valid: 'can be imported',
  failed: 'failed',
  clashing: 'identifier clashes',
  waiting: 'not tried',
} as const;

/** The page. */
export function writeReport(outcome: FolderOutcome): string {
  const { files, clashes, passedOver, folder, service } = outcome;
  const faulty = files.filter(({ faults }) => faults.length > 0);
  const lossy = files.filter(({ leftOutTotal }) => leftOutTotal > 0);
  const title = `Import of ${folder}`;
  return [
    `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<title>${escapeText(title)}</title>\n<style>${style}</style>\n</head>\n<body>\n<h1>${escapeText(title)}</h1>`,
    `<p>${escapeText(`Into ${service}, ${outcome.started}, ${count(Math.round(outcome.seconds))} s. ${outcome.onlyValidated ? 'Only validated: nothing is stored.' : ''}`)}</p>`,
    ...(outcome.stopped === null ? [] : [`<p class="failed">${escapeText(outcome.stopped)}</p>`]),
    summary(outcome),
    ...section('Identifiers that clash', clashes, (all) => clashTable(all, service)),
    ...section('Files', files, (all) => fileTable(all, service)),
    ...section('Faults', faulty, (all) => all.map(faultsOfFile).join('\n')),
    ...section('Left out, for want of a place in the records', lossy, (all) => all.map(leftOutOfFile).join('\n')),
    ...section('Not imported, being something else', passedOver, passedTable),
    '</body>\n</html>\n',
  ].join('\n');
}

function summary({ files, passedOver }: FolderOutcome): string {
  const rows = Object.entries(words).map(([status, text]) => {
    const of = files.filter((file) => file.status === status);
    const earlier = of.filter(({ isEarlier }) => isEarlier === true).length;
    return [text, `${count(of.length)}${earlier === 0 ? '' : ` (${count(earlier)} of them by an earlier run)`}`];
  });
  const parts = files.reduce((sum, { leftOutTotal }) => sum + leftOutTotal, 0);
  return table(
    ['Files', ''],
    [...rows, ['something else', count(passedOver.length)], ['parts left out', count(parts)]].map((row) =>
      row.map(escapeText),
    ),
  );
}

const section = <Item>(
  heading: string,
  items: readonly Item[],
  write: (items: readonly Item[]) => string,
): readonly string[] => (items.length === 0 ? [] : [`<h2>${escapeText(heading)}</h2>`, write(items)]);

const clashTable = (clashes: readonly Clash[], service: string): string =>
  table(
    ['Identifier', 'Of', 'Given by', 'In the service'],
    clashes.map(({ value, rule, files, record, isInService }) => [
      escapeText(value),
      escapeText(rule.replace('.', ': ').replaceAll('_', ' ')),
      files.map(escapeText).join('<br>'),
      record === null ? (isInService ? 'a record that is not shown' : '') : link(service, record),
    ]),
  );

const fileTable = (files: readonly FileResult[], service: string): string =>
  table(
    ['File', 'What', 'Read', 'New records', 'Left out', 'Became of it', 'Job'],
    files.map((file) => [
      escapeText(file.file),
      escapeText(file.type),
      escapeText(file.nothing ?? file.read ?? ''),
      [escapeText(wordsOf(file.created)), ...file.links.slice(0, 10).map((uri) => link(service, uri))].join('<br>'),
      count(file.leftOutTotal),
      `<span class="${file.status}">${words[file.status]}${file.isEarlier === true ? ' earlier' : ''}</span>`,
      file.job === null ? '' : link(service, file.job),
    ]),
  );

const faultsOfFile = ({ file, faults }: FileResult): string =>
  `<h3>${escapeText(file)}</h3>\n${table(
    ['Line', 'Fault'],
    faults.map(({ line, text }) => [line === null ? '' : count(line), escapeText(text)]),
  )}`;

function leftOutOfFile({ file, leftOut, leftOutTotal }: FileResult): string {
  const told = leftOut.filter((line) => !line.startsWith('… and '));
  const more = leftOutTotal - told.length;
  const items = told.map((line) => `<li>${escapeText(line)}</li>`);
  return `<h3>${escapeText(file)}: ${count(leftOutTotal)}</h3>\n<ul>\n${items.join('\n')}\n${more > 0 ? `<li>… and ${count(more)} more</li>\n` : ''}</ul>`;
}

const passedTable = (passedOver: readonly PassedOver[]): string =>
  table(
    ['File', 'Why'],
    passedOver.map(({ file, why }) => [escapeText(file), escapeText(why)]),
  );

const link = (service: string, uri: string): string =>
  `<a href="${escapeAttribute(`${service}${uri}`)}">${escapeText(uri)}</a>`;

/** Rows of cells that are HTML already. */
const table = (headings: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<table>\n<thead><tr>${headings.map((heading) => `<th scope="col">${escapeText(heading)}</th>`).join('')}</tr></thead>\n<tbody>\n${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n')}\n</tbody>\n</table>`;

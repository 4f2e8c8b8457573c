// The report of a folder as one HTML page that stands by itself: no script, nothing fetched, everything from files escaped.
import { escapeText } from '#domain/formats/xml/escape.ts';
import { htmlLink as link, htmlPage, htmlSection as section, htmlTable as table } from '../../html-page.ts';
import { count } from '../../output.ts';
import { wordsOf } from '../tally.ts';
import type { PassedOver } from './inventory.ts';
import type { Clash, FileResult, FolderOutcome } from './results.ts';

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
  return htmlPage(`Import of ${folder}`, [
    `<p>${escapeText(`Into ${service}, ${outcome.started}, ${count(Math.round(outcome.seconds))} s. ${outcome.onlyValidated ? 'Only validated: nothing is stored.' : ''}`)}</p>`,
    ...(outcome.stopped === null ? [] : [`<p class="failed">${escapeText(outcome.stopped)}</p>`]),
    summary(outcome),
    ...section('Identifiers that clash', clashes, (all) => clashTable(all, service)),
    ...section('Files', files, (all) => fileTable(all, service)),
    ...section('Faults', faulty, (all) => all.map(faultsOfFile).join('\n')),
    ...section('Left out, for want of a place in the records', lossy, (all) => all.map(leftOutOfFile).join('\n')),
    ...section('Not imported, being something else', passedOver, passedTable),
  ]);
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
  const items = leftOut.map((line) => `<li>${escapeText(line)}</li>\n`);
  return `<h3>${escapeText(file)}: ${count(leftOutTotal)}</h3>\n<ul>\n${items.join('')}</ul>`;
}

const passedTable = (passedOver: readonly PassedOver[]): string =>
  table(
    ['File', 'Why'],
    passedOver.map(({ file, why }) => [escapeText(file), escapeText(why)]),
  );

// The texts of jobs, and of the history of reindexing.
import { speaker } from '../words.ts';

const english = {
  again: 'Run again',
  took_so_long: 'took {time}',
  only_checked: 'only checked',
  and_more: '{first} and {count} more',
  of_all: 'Jobs of the whole installation',
  clock: 'By the clock',
  schedule: 'What',
  when: 'When',
  last_run: 'Last time',
  never: 'not yet',
  nothing_by_clock: 'Nothing runs by the clock. MUNIMENT_REINDEX_CRON makes the index anew at night.',
  at: 'Line {line}, column {column}',
  there_already:
    'Something with the same identifier is there already: the file may have been imported before. Search for it; give the new one another identifier, or delete the old one.',
  left_out: 'What was left out',
  would_be_left_out: 'What would be left out',
  parts: '{count} parts',
  reindexing: 'The search index made anew',
  scheduled: 'By the clock: {cron} ({zone})',
  last: 'Last: {status}',
  longest: 'at most {time}',
  picture: 'How long {count} runs took, the last {last}, at most {longest}; failed: {failed}',
  runs: 'Every run',
  run: 'Run {id}',
  took: 'Took',
};

const german: { readonly [name in keyof typeof english]: string } = {
  again: 'Noch einmal ausführen',
  took_so_long: 'dauerte {time}',
  only_checked: 'nur geprüft',
  and_more: '{first} und {count} weitere',
  of_all: 'Aufträge der ganzen Anlage',
  clock: 'Nach der Uhr',
  schedule: 'Was',
  when: 'Wann',
  last_run: 'Zuletzt',
  never: 'noch nicht',
  nothing_by_clock: 'Nichts läuft nach der Uhr. MUNIMENT_REINDEX_CRON erneuert nachts den Index.',
  at: 'Zeile {line}, Spalte {column}',
  there_already:
    'Etwas mit derselben Kennung gibt es schon: Die Datei wurde vielleicht schon importiert. Suchen Sie danach; geben Sie dem Neuen eine andere Kennung oder löschen Sie das Alte.',
  left_out: 'Was ausgelassen wurde',
  would_be_left_out: 'Was ausgelassen würde',
  parts: '{count} Teile',
  reindexing: 'Erneuerung des Suchindex',
  scheduled: 'Nach der Uhr: {cron} ({zone})',
  last: 'Zuletzt: {status}',
  longest: 'höchstens {time}',
  picture: 'Wie lange {count} Läufe dauerten, der letzte {last}, höchstens {longest}; gescheitert: {failed}',
  runs: 'Jeder Lauf',
  run: 'Lauf {id}',
  took: 'Dauer',
};

/** A text of jobs. */
export const j = speaker({ en: english, de: german });

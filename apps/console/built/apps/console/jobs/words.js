import { speaker } from '../words.js';
const english = {
    reindexing: 'The search index made anew',
    scheduled: 'By the clock: {cron} ({zone})',
    last: 'Last: {status}',
    longest: 'at most {time}',
    picture: 'How long {count} runs took, the last {last}, at most {longest}; failed: {failed}',
    runs: 'Every run',
    run: 'Run {id}',
    took: 'Took',
};
const german = {
    reindexing: 'Erneuerung des Suchindex',
    scheduled: 'Nach der Uhr: {cron} ({zone})',
    last: 'Zuletzt: {status}',
    longest: 'höchstens {time}',
    picture: 'Wie lange {count} Läufe dauerten, der letzte {last}, höchstens {longest}; gescheitert: {failed}',
    runs: 'Jeder Lauf',
    run: 'Lauf {id}',
    took: 'Dauer',
};
export const j = speaker({ en: english, de: german });

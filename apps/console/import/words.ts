// The texts of sheets that are loaded or bring changes.
import { speaker } from '../words.ts';

const english = {
  sheet: 'Spreadsheet',
  purpose: 'What it is for',
  load_ao: 'New components below a collection',
  load_digital: 'New digital objects for components of a collection',
  update: 'Changes of components, in a sheet that this service made',
  collection: 'Collection',
  collection_hint: 'Begin to type its title, and choose it.',
  chosen: 'Chosen: {title}',
  sending: 'Sending … You may go on elsewhere in the console; do not close it. The job is under Jobs then.',
  passed: 'A spreadsheet goes by itself, one at a time. Not taken; drop them afterwards:',
  check_more:
    'Checking does everything but store, and tells what is wrong row by row. One row that is wrong keeps all from being stored.',
};

const german: { readonly [name in keyof typeof english]: string } = {
  sheet: 'Tabelle',
  purpose: 'Wozu sie dient',
  load_ao: 'Neue Komponenten unter einem Bestand',
  load_digital: 'Neue Digitalisate für Komponenten eines Bestands',
  update: 'Änderungen an Komponenten, in einer Tabelle, die dieser Dienst erstellt hat',
  collection: 'Bestand',
  collection_hint: 'Beginnen Sie seinen Titel zu tippen und wählen Sie ihn aus.',
  chosen: 'Gewählt: {title}',
  sending:
    'Wird gesendet … Sie können anderswo in der Konsole weiterarbeiten; schließen Sie sie nicht. Der Auftrag steht dann unter Aufträge.',
  passed: 'Eine Tabelle geht für sich, eine nach der anderen. Nicht übernommen; legen Sie sie danach ab:',
  check_more:
    'Die Prüfung tut alles außer speichern und sagt Zeile für Zeile, was falsch ist. Eine falsche Zeile hält alles auf.',
};

/** A text of the form for sheets. */
export const s = speaker({ en: english, de: german });

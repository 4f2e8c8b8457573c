// The texts of the view of people.
import { speaker } from '../words.ts';

const english = {
  denied: 'Who may do what in this repository is shown to those who manage it.',
  groups: 'What groups may do',
  groups_hint:
    'A user may do what any of their groups may. Groups of the whole installation come first; they hold in every repository.',
  permission: 'Permission',
  granted: 'may',
  members: 'Who is in the groups',
  group: 'Group',
  nobody: 'Nobody is in this group.',
  everywhere: 'everywhere',
  users: 'Users',
  user: 'User',
  name: 'Name',
  kind: 'Sort',
  administrator: 'administrator',
  inactive: 'may not log in',
  system: 'of the service',
};

const german: { readonly [name in keyof typeof english]: string } = {
  denied: 'Wer in diesem Archiv was darf, sehen diejenigen, die es verwalten.',
  groups: 'Was Gruppen dürfen',
  groups_hint:
    'Wer in mehreren Gruppen ist, darf, was eine von ihnen darf. Gruppen der ganzen Anlage stehen vorn; sie gelten in jedem Archiv.',
  permission: 'Recht',
  granted: 'darf',
  members: 'Wer in den Gruppen ist',
  group: 'Gruppe',
  nobody: 'Niemand ist in dieser Gruppe.',
  everywhere: 'überall',
  users: 'Benutzer',
  user: 'Benutzer',
  name: 'Name',
  kind: 'Art',
  administrator: 'Verwalter',
  inactive: 'darf sich nicht anmelden',
  system: 'des Dienstes',
};

/** A text of the view of people. */
export const say = speaker({ en: english, de: german });

// Which records the contents and the outline of a finding aid name.

/** The levels of description that group others. */
export const groupLevels: readonly string[] = [
  'class',
  'collection',
  'fonds',
  'recordgrp',
  'series',
  'subfonds',
  'subgrp',
  'subseries',
];

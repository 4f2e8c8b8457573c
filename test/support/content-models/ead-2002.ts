// EAD 2002 as a table, as far as it is written: a data table after the tag library (Society of American Archivists, version 2002). Mixed
// content is what the writers themselves declare (libs/domain/formats/ead/writing/model-2002.ts).
import { ead2002 as mixed } from '#domain/formats/ead/writing/model-2002.ts';
import type { Row } from './check.ts';
import { anyOf, contentModel, either } from './check.ts';

const bare = `#${anyOf(mixed.bare)}`;
const basic = `#${anyOf(mixed.basic)}`;
const basicAnd = (names: string): string => `#(${either([...mixed.basic].join(' '))}|${either(names)})*`;
const headingNames = 'corpname famname geogname name occupation persname subject genreform function';
const headings = either(`${headingNames} title`);
const blocks = either([...mixed.blocks].join(' '));
const references = either('ref extref bibref title archref');

const noteElements =
  'accessrestrict accruals acqinfo altformavail appraisal arrangement bibliography bioghist controlaccess custodhist fileplan index odd originalsloc otherfindaid phystech prefercite processinfo relatedmaterial scopecontent separatedmaterial userestrict';
const described = either(`${noteElements} dao daogrp note`);
/** A note: its head, then at least one block, or a note of the same kind. */
const note = (element: string, more = ''): Row => [element, `(head )?(${blocks}|${element} ${more})+`, 'type'];

const level =
  'level=class|collection|file|fonds|item|otherlevel|recordgrp|series|subfonds|subgrp|subseries otherlevel~';
const links = 'xlink:role xlink:arcrole xlink:title xlink:show xlink:actuate';
const numbered = Array.from({ length: 12 }, (_, index): Row => {
  const [own, next] = [index + 1, index + 2].map((depth) => `c${String(depth).padStart(2, '0')}`);
  return [own ?? '', `(head )?did (${described})*${index === 11 ? '' : `(${next} )*`}`, level];
});
const names = 'source~ rules~ authfilenumber normal';

/** EAD 2002. */
export const ead2002 = contentModel({
  namespace: 'urn:isbn:1-931666-22-9',
  roots: 'ead',
  global: 'id altrender audience=external|internal encodinganalog',
  ids: 'id',
  // Not `target`: people write it in notes, and what it names may be unpublished or in another finding aid.
  refs: 'parent',
  mixed,
  values: {
    'xlink:href': /^[^\s<>"{}|\\^`]*$/,
    'xlink:show': /^(?:new|replace|embed|other|none)$/,
    'xlink:actuate': /^(?:onLoad|onRequest|other|none)$/,
    'unitdate@normal': /^-?[012]\d{3}(?:-?[01]\d(?:-?[0-3]\d)?)?(?:\/-?[012]\d{3}(?:-?[01]\d(?:-?[0-3]\d)?)?)?$/,
    'date@normal': /^-?[012]\d{3}(?:-?[01]\d(?:-?[0-3]\d)?)?(?:\/-?[012]\d{3}(?:-?[01]\d(?:-?[0-3]\d)?)?)?$/,
  },
  rows: [
    ['ead', 'eadheader archdesc ', 'relatedencoding'],
    [
      'eadheader',
      'eadid filedesc (profiledesc )?(revisiondesc )?',
      'langencoding~ scriptencoding~ dateencoding~ countryencoding~ repositoryencoding~ relatedencoding findaidstatus~',
    ],
    ['eadid', '#', 'publicid urn url countrycode~ mainagencycode~ identifier'],
    ['filedesc', 'titlestmt (editionstmt )?(publicationstmt )?(seriesstmt )?(notestmt )?'],
    ['titlestmt', '(titleproper )+(subtitle )*(author )?(sponsor )?'],
    ['titleproper subtitle', `#(${either([...mixed.bare].join(' '))}|abbr |date |expan |num )*`, 'type'],
    ['author sponsor publisher', bare],
    ['editionstmt', '(edition |p )+'],
    ['publicationstmt', '(publisher |date |address |num |p )+'],
    ['seriesstmt', '(titleproper |num |p )+'],
    ['notestmt', '(note )+'],
    ['profiledesc', '(creation )?(langusage )?(descrules )?'],
    ['creation', basicAnd('date')],
    ['langusage', basicAnd('language')],
    ['descrules', basic],
    ['revisiondesc', '(change )+'],
    ['change', 'date (item )+'],
    ['archdesc', `did (${described}|dsc )*`, `${level.replace('level=', 'level!=')} type~ relatedencoding`],
    ['dsc', `(head )?(${blocks})*((c )*|(c01 )*)`, 'type=analyticover|combined|in-depth|othertype othertype~'],
    ['c', `(head )?did (${described})*(c )*`, level],
    ...numbered,
    [
      'did',
      `(head )?(${either('abstract container dao daogrp langmaterial materialspec note origination physdesc physloc repository unitdate unitid unittitle')})+`,
    ],
    ['repository', basicAnd('address corpname name'), 'label'],
    ['origination', basicAnd('corpname famname name persname'), 'label'],
    ['unitid', basic, 'label type countrycode~ repositorycode~ identifier'],
    ['unitdate', basic, 'label type=bulk|inclusive datechar era~ calendar~ normal certainty'],
    ['physdesc', basicAnd(`dimensions physfacet extent date ${headingNames}`), 'label source~ rules~'],
    ['extent', basic, 'label type unit'],
    ['dimensions', basicAnd('dimensions'), 'label type unit'],
    ['physfacet', basicAnd(`date ${headingNames}`), 'label type unit source~ rules~'],
    ['materialspec', basicAnd('num materialspec'), 'label type'],
    ['abstract', basic, 'label type langcode~'],
    ['physloc', basic, 'label type parent'],
    ['container', basic, 'label type~ parent'],
    ['langmaterial', basicAnd('language'), 'label'],
    ...noteElements.split(' ').map((element) => note(element)),
    note('accessrestrict', '|legalstatus '),
    note('bibliography', `|${references}`),
    note('bioghist', '|dao |daogrp '),
    note('custodhist', '|acqinfo '),
    note('odd', '|dao |daogrp '),
    note('otherfindaid', `|${references}`),
    note('relatedmaterial', `|${references}`),
    note('scopecontent', '|arrangement |dao |daogrp '),
    note('separatedmaterial', `|${references}`),
    ['legalstatus', `#(${either([...mixed.bare].join(' '))}|date )*`, 'type~'],
    ['controlaccess', `(head )?(${blocks}|${headings}|controlaccess )+`],
    ['index', `(head )?(${blocks})*(indexentry )+`],
    ['indexentry', `(${headings})(ptr |ref )?(indexentry )*`],
    // Roles of these four are an attribute; subjects and the like have none.
    ['corpname famname geogname name persname', bare, `${names} role`],
    ['occupation subject genreform function', bare, `${names} type`],
    ['dao', '(daodesc )?', `xlink:type!=simple xlink:href! ${links}`],
    ['daogrp', '(daodesc )?(daoloc )+', 'xlink:type!=extended xlink:role xlink:title'],
    ['daoloc', '(daodesc )?', 'xlink:type!=locator xlink:href! xlink:role xlink:title xlink:label'],
    ['daodesc', `(head )?(${blocks})+`],
    ['extref', `#${anyOf(mixed.elements.get('extref')?.content ?? [])}`, `xlink:type=simple xlink:href ${links}`],
    ['extptr', '', `xlink:type=simple xlink:href ${links}`],
  ],
});

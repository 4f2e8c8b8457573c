// EAD3 1.1 as a table, as far as it is written: a data table after the tag library (Society of American Archivists, 2019). Mixed content is
// what the writers themselves declare (libs/domain/formats/ead/writing/model-3.ts).
import { ead3 as mixed } from '#domain/formats/ead/writing/model-3.ts';
import type { Row } from './check.ts';
import { anyOf, contentModel, either } from './check.ts';

const basic = `#${anyOf(mixed.basic)}`;
const named = `#${anyOf(mixed.title)}`;
const headings = either('persname corpname famname geogname name occupation subject genreform function title');
const blocks = either([...mixed.blocks].join(' '));

const noteElements =
  'accessrestrict accruals acqinfo altformavail appraisal arrangement bioghist custodhist fileplan legalstatus odd originalsloc phystech prefercite processinfo scopecontent userestrict';
const referringElements = 'bibliography otherfindaid relatedmaterial separatedmaterial';
const described = either(`${noteElements} ${referringElements} controlaccess index relations`);
const note = (element: string, more = ''): Row => [element, `(head )?(${blocks}|${element} ${more})+`, 'localtype'];

const level = 'level=class|collection|file|fonds|item|otherlevel|recordgrp|series|subfonds|subgrp|subseries otherlevel';
const links = 'href linkrole arcrole linktitle show=new|replace|embed|other|none actuate=onload|onrequest|other|none';
const numbered = Array.from({ length: 12 }, (_, index): Row => {
  const [own, next] = [index + 1, index + 2].map((depth) => `c${String(depth).padStart(2, '0')}`);
  return [own ?? '', `(head )?did (${described})*${index === 11 ? '' : `(${next} )*`}`, level];
});
const dated = 'label unitdatetype=bulk|inclusive datechar certainty~ era~ calendar~';

/** EAD3. */
export const ead3 = contentModel({
  namespace: 'http://ead3.archivists.org/schema/',
  roots: 'ead',
  global: 'id altrender audience=external|internal lang~ script~ encodinganalog',
  ids: 'id',
  // Not `target`: people write it in notes, and what it names may be unpublished or in another finding aid.
  refs: 'parent',
  mixed,
  values: {
    href: /^[^\s<>"{}|\\^`]*$/,
    linkrole: /^[^<>"{}|\\^`]*$/,
    arcrole: /^[^\s<>"{}|\\^`]*$/,
    instanceurl: /^[^\s<>"{}|\\^`]*$/,
  },
  rows: [
    ['ead', 'control archdesc ', 'relatedencoding'],
    [
      'control',
      'recordid (otherrecordid )*(representation )*filedesc maintenancestatus (publicationstatus )?maintenanceagency (languagedeclaration )*(conventiondeclaration )*(rightsdeclaration )*(localtypedeclaration )*(localcontrol )*maintenancehistory (sources )?',
      'relatedencoding langencoding=iso639-1|iso639-2b|iso639-3|otherlangencoding scriptencoding=iso15924|otherscriptencoding dateencoding=iso8601|otherdateencoding countryencoding=iso3166-1|othercountryencoding repositoryencoding=iso15511|otherrepositoryencoding',
    ],
    ['recordid', '#', 'instanceurl'],
    ['filedesc', 'titlestmt (editionstmt )?(publicationstmt )?(seriesstmt )?(notestmt )?'],
    ['titlestmt', '(titleproper )+(subtitle )*(author )*(sponsor )*'],
    ['titleproper subtitle author sponsor publisher', basic, 'localtype'],
    ['editionstmt', '(edition |p )+'],
    ['publicationstmt', '(publisher |date |address |num |p )+'],
    ['seriesstmt', '(titleproper |num |p )+'],
    ['notestmt', '(controlnote )+'],
    ['controlnote', `(${blocks})+`, 'localtype'],
    ['address', '(addressline )+'],
    ['addressline', basic, 'localtype'],
    [
      'maintenancestatus',
      '#',
      'value!=revised|deleted|new|deletedsplit|deletedmerged|deletedreplaced|cancelled|derived',
    ],
    ['maintenanceagency', '(agencycode )?(otheragencycode )*(agencyname )+(descriptivenote )?', 'countrycode~'],
    ['agencycode otheragencycode agencyname', '#', 'localtype'],
    ['languagedeclaration', 'language script (descriptivenote )?'],
    ['language', '#', 'label langcode~'],
    ['script', '#', 'label scriptcode~'],
    ['descriptivenote', '(p )+'],
    ['conventiondeclaration rightsdeclaration', '(abbr )?citation (descriptivenote )?', 'localtype'],
    ['citation', basic, links],
    ['localcontrol', '(term )?(datesingle |daterange )?', 'localtype'],
    ['term', '#', 'source rules~ identifier'],
    ['maintenancehistory', '(maintenanceevent )+'],
    ['maintenanceevent', 'eventtype eventdatetime agenttype agent (eventdescription )*'],
    ['eventtype', '#', 'value!=created|revised|deleted|cancelled|derived|updated|unknown'],
    ['eventdatetime', '#', 'standarddatetime'],
    ['agenttype', '#', 'value!=human|machine|unknown'],
    ['agent eventdescription', '#', 'localtype'],
    ['archdesc', `did (${described}|dsc )*`, `${level.replace('level=', 'level!=')} localtype relatedencoding`],
    ['dsc', `(head )?(${blocks})*((c )*|(c01 )*)`, 'dsctype=analyticover|combined|in-depth|otherdsctype'],
    ['c', `(head )?did (${described})*(c )*`, level],
    ...numbered,
    [
      'did',
      `(head )?(${either('abstract container dao daoset didnote langmaterial materialspec origination physdescset physdesc physdescstructured physloc repository unitdate unitdatestructured unitid unittitle')})+`,
    ],
    ['repository', '(corpname |famname |name |persname )+(address )?', 'label localtype'],
    ['origination', '(corpname |famname |name |persname )+', 'label localtype'],
    ['part', `#(${either([...mixed.basic].join(' '))}|date )*`, 'localtype source rules~ identifier'],
    ['unittitle abstract', named, 'label localtype'],
    ['unitid', basic, 'label localtype countrycode~ repositorycode identifier'],
    ['unitdate', basic, `${dated} normal`],
    ['unitdatestructured', 'datesingle |daterange |dateset ', dated],
    ['daterange', '(fromdate )?(todate )?', 'localtype'],
    ['datesingle fromdate todate', basic, 'standarddate notbefore notafter localtype'],
    ['physdesc materialspec', basic, 'label localtype'],
    ['physloc', basic, 'label localtype parent'],
    [
      'physdescstructured',
      'quantity unittype (physfacet |dimensions )*(descriptivenote )?',
      'label physdescstructuredtype!=carrier|materialtype|spaceoccupied|otherphysdescstructuredtype otherphysdescstructuredtype coverage!=whole|part',
    ],
    ['quantity', '#', 'approximate=true|false'],
    ['unittype', '#', 'source rules~ identifier'],
    ['physfacet', named, 'localtype source rules~ identifier'],
    ['dimensions', `#(${either([...mixed.basic].join(' '))}|dimensions )*`, 'localtype unit'],
    ['langmaterial', '(language |languageset )+(descriptivenote )?', 'label'],
    ['languageset', '(language )+(script )+(descriptivenote )?'],
    ['container', basic, 'label localtype parent containerid'],
    ...noteElements.split(' ').map((element) => note(element)),
    ...referringElements.split(' ').map((element) => note(element, '|archref |bibref ')),
    ['bibref', named],
    ['controlaccess', `(head )?(${blocks}|${headings}|controlaccess )+`, 'localtype'],
    ['index', `(head )?(${blocks})*(indexentry )+`, 'localtype'],
    ['indexentry', `(${headings})(ptr |ref )?(indexentry )*`],
    ['chronlist', '(head )?(chronitem )+', 'localtype'],
    ['chronitem', '(datesingle |daterange |dateset )((geogname )?event |(chronitemset )+)', 'localtype'],
    ['chronitemset', '(geogname )*(event )+'],
    ['dao', '(descriptivenote )?', `daotype!=borndigital|derived|unknown|otherdaotype otherdaotype label ${links}`],
    ['daoset', 'dao (dao )+(descriptivenote )?', 'label coverage=whole|part'],
  ],
});

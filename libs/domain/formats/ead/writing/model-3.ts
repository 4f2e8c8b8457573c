// What EAD3 allows inside mixed content, and what the markup of EAD 2002 becomes in it (contract, exports 3 "mixed content"). A data table
// made from the published schema (ead3.xsd).
import type { ContentModel, ElementModel } from './mixed.ts';
import { attributesOf } from './mixed.ts';

const basic = 'abbr emph expan foreign lb ptr ref';
const names = 'persname corpname famname geogname name occupation subject genreform function title';
const plus = `${basic} date footnote num quote`;
const blocks = 'chronlist list table blockquote p';
const link = 'href linkrole arcrole linktitle show=new|replace|embed|other|none actuate=onload|onrequest|other|none';
const render =
  'altrender|bold|bolddoublequote|bolditalic|boldsinglequote|boldsmcaps|boldunderline|doublequote|italic|nonproport|singlequote|smcaps|sub|super|underline';

const set = (text: string): ReadonlySet<string> => new Set(text.split(' ').filter((name) => name !== ''));

function element(content: string, attributes = '', more: Partial<ElementModel> = {}): ElementModel {
  return {
    content: set(content),
    hasText: more.order === undefined,
    attributes: attributesOf(attributes),
    ...more,
  };
}

const ordered = (order: RegExp): Partial<ElementModel> => ({ order });

/** EAD3. */
export const ead3: ContentModel = {
  bare: set(basic),
  basic: set(basic),
  basicWithoutRefs: set(basic),
  paragraph: set(`${plus} ${names} list`),
  title: set(`${plus} ${names}`),
  blocks: set(blocks),
  renamed: new Map([
    ['br', 'lb'],
    ['b', 'emph'],
    ['strong', 'emph'],
    ['i', 'emph'],
    ['em', 'emph'],
    ['u', 'emph'],
    ['sub', 'emph'],
    ['sup', 'emph'],
    ['a', 'ref'],
    ['extref', 'ref'],
    ['extptr', 'ptr'],
    ['archref', 'ref'],
    ['bibref', 'ref'],
    ['unitdate', 'date'],
  ]),
  renamedAttributes: new Map([
    ['authfilenumber', 'identifier'],
    ['role', 'relator'],
    ['scriptcode', 'script'],
    ['langcode', 'lang'],
    ['type', 'localtype'],
    ['normal', 'standarddate'],
  ]),
  renamedLinks: new Map([
    ['title', 'linktitle'],
    ['role', 'linkrole'],
  ]),
  valuesOf: new Map([
    ['listtype', new Map([['marked', 'unordered']])],
    [
      'numeration',
      new Map([
        ['arabic', 'decimal'],
        ['loweralpha', 'lower-alpha'],
        ['upperalpha', 'upper-alpha'],
        ['lowerroman', 'lower-roman'],
        ['upperroman', 'upper-roman'],
      ]),
    ],
  ]),
  elements: new Map<string, ElementModel>([
    ['emph', element(basic, `render=${render}`)],
    ['lb', element('', '', { hasText: false, attributes: new Map() })],
    ['ptr', element('', `target~ ${link}`, { hasText: false })],
    ['ref', element(`abbr date emph expan footnote foreign lb num ptr quote ${names}`, `target~ ${link}`)],
    ['abbr', element('', 'expan')],
    ['expan', element('', 'abbr')],
    ['foreign', element('', `render=${render} lang~ script~`)],
    ['quote', element(basic, `render=${render} localtype`)],
    ['date', element(basic, 'localtype era~ calendar~ normal certainty~')],
    ['num', element(basic, 'localtype')],
    ...names
      .split(' ')
      .map((name): [string, ElementModel] => [
        name,
        element(
          basic,
          `source rules~ identifier normal localtype relator${name === 'title' ? ` render=${render}` : ''}`,
          { wrapped: 'part' },
        ),
      ]),
    ['p', element(`${plus} ${names} list`)],
    ['head', element(basic)],
    ['item', element(`${plus} ${names} list`)],
    ['label', element(basic)],
    ['event', element(`${plus} ${names} list`, 'localtype')],
    [
      'list',
      element(
        'head item defitem',
        'listtype=deflist|unordered|ordered numeration=decimal|lower-alpha|upper-alpha|lower-roman|upper-roman',
        ordered(/^(head )?((item )+|(defitem )+)$/),
      ),
    ],
    ['chronlist', element('head chronitem', 'localtype', ordered(/^(head )?(chronitem )+$/))],
    [
      'chronitem',
      element('datesingle event chronitemset', 'localtype', {
        ...ordered(/^datesingle (event|chronitemset) $/),
        renamed: new Map([
          ['date', 'datesingle'],
          ['unitdate', 'datesingle'],
          ['eventgrp', 'chronitemset'],
        ]),
      }),
    ],
    ['datesingle', element(basic, 'localtype standarddate@')],
    ['chronitemset', element('geogname event', '', ordered(/^(geogname )?(event )+$/))],
    ['defitem', element('label item', '', ordered(/^label item $/))],
    ['blockquote', element('list table p', '', ordered(/^((list|table|p) )+$/))],
    ['footnote', element(blocks, '', ordered(/^((list|table|blockquote|p) )+$/))],
    ['table', element('head tgroup', 'frame=top|bottom|topbot|all|sides|none', ordered(/^(head )?(tgroup )+$/))],
    [
      'tgroup',
      element(
        'colspec thead tbody',
        'cols~ align=left|right|center|justify|char',
        ordered(/^(colspec )*(thead )?tbody $/),
      ),
    ],
    ['colspec', element('', '', { ...ordered(/^$/), attributes: attributesOf('colnum~ colname~ colwidth', '') })],
    ['thead', element('row', 'valign=top|middle|bottom', ordered(/^(row )+$/))],
    ['tbody', element('row', 'valign=top|middle|bottom', ordered(/^(row )+$/))],
    ['row', element('entry', 'valign=top|middle|bottom', ordered(/^(entry )+$/))],
    [
      'entry',
      element(
        plus,
        'colname~ namest~ nameend~ morerows~ align=left|right|center|justify|char valign=top|middle|bottom',
      ),
    ],
  ]),
};

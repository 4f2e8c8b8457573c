// What EAD 2002 allows inside mixed content, so that whatever markup a note holds, the document that goes out validates. A data table made
// from the published schema (ead2002.xsd): groups of elements as the schema names them, and each element's content and attributes.
import type { ContentModel, ElementModel } from './mixed.ts';
import { attributesOf } from './mixed.ts';

const bare = 'emph lb ptr extptr';
const basicWithoutRefs = `${bare} abbr expan`;
const refs = 'ref extref bibref title archref';
const basic = `${basicWithoutRefs} ${refs}`;
const names = 'corpname famname geogname name occupation persname subject genreform function';
const phrases = `${basicWithoutRefs} ${names} date num unitdate unittitle`;
const inter = 'address chronlist list note table';
const paragraph = `${phrases} ${refs} ${inter} blockquote`;
const blocks = `${inter} blockquote p`;

const link = 'xlink:href xlink:role xlink:arcrole xlink:title xlink:show xlink:actuate';
const heading = 'source rules authfilenumber normal';
const render =
  'altrender|bold|bolddoublequote|bolditalic|boldsinglequote|boldsmcaps|boldunderline|doublequote|italic|nonproport|singlequote|smcaps|sub|super|underline';

const set = (text: string): ReadonlySet<string> => new Set(text.split(' ').filter((name) => name !== ''));

function element(content: string | null, attributes = '', order?: RegExp): ElementModel {
  return {
    content: set(content ?? ''),
    hasText: content !== null && order === undefined,
    attributes: attributesOf(attributes),
    ...(order === undefined ? {} : { order }),
  };
}

const headed = (content: string): RegExp => new RegExp(`^(head )?(${content})$`);

/** EAD 2002. */
export const ead2002: ContentModel = {
  bare: set(bare),
  basic: set(basic),
  basicWithoutRefs: set(basicWithoutRefs),
  paragraph: set(paragraph),
  title: set(`${basic} ${names} date num unitdate`),
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
    ['a', 'extref'],
  ]),
  elements: new Map<string, ElementModel>([
    ['emph', { ...element(basic), attributes: attributesOf(`render=${render} altrender`, '') }],
    ['lb', { ...element(''), attributes: new Map() }],
    ['ptr', element('', `target~ ${link}`)],
    ['extptr', element('', link)],
    ['abbr', element('', 'expan')],
    ['expan', element('', 'abbr')],
    ['ref', element(`${phrases} ${inter} archref bibref extref title`, `target~ ${link}`)],
    ['extref', element(`${phrases} ${inter} archref bibref ref title`, link)],
    ['bibref', element(`${basicWithoutRefs} archref corpname extref famname name num persname ref title`, link)],
    ['archref', element(`${basicWithoutRefs} bibref extref ref title unitdate unittitle`, link)],
    ['title', element(`${bare} date num`, `render=${render} source~ rules~ authfilenumber normal type ${link}`)],
    ...names
      .split(' ')
      .map((name): [string, ElementModel] => [
        name,
        element(bare, `${heading.replace('source rules', 'source~ rules~')}${name.endsWith('name') ? ' role' : ''}`),
      ]),
    ['date', element(bare, 'type era~ calendar~ normal# certainty')],
    ['num', element(bare, 'type')],
    ['unitdate', element(basic, 'label type=bulk|inclusive datechar era~ calendar~ normal# certainty')],
    ['unittitle', element(`${basic} ${names} date num unitdate`, 'label type')],
    ['language', element(bare, 'langcode~ scriptcode~')],
    ['p', element(paragraph)],
    ['head', element(bare, 'althead')],
    ['item', element(paragraph)],
    ['label', element(`${phrases} ${refs}`)],
    ['event', element(paragraph)],
    ['addressline', element(bare)],
    [
      'list',
      element(
        'head item defitem',
        'type=simple|deflist|marked|ordered mark numeration=arabic|upperalpha|loweralpha|upperroman|lowerroman continuation=continues|starts',
        headed('(item )+|(defitem )+'),
      ),
    ],
    ['defitem', element('label item', '', /^label item $/)],
    ['chronlist', element('head chronitem', '', headed('(chronitem )+'))],
    ['chronitem', element('date event eventgrp', '', /^date (event|eventgrp) $/)],
    ['eventgrp', element('event', '', /^(event )+$/)],
    ['note', element(blocks, 'type label', new RegExp(`^((${blocks.replaceAll(' ', '|')}) )+$`))],
    ['address', element('addressline', '', /^(addressline )+$/)],
    ['blockquote', element(`${inter} p`, '', new RegExp(`^((${inter.replaceAll(' ', '|')}|p) )+$`))],
    ['table', element('head tgroup', 'frame=top|bottom|topbot|all|sides|none', headed('(tgroup )+'))],
    [
      'tgroup',
      element('colspec thead tbody', 'cols~ align=left|right|center|justify|char', /^(colspec )*(thead )?tbody $/),
    ],
    ['colspec', { ...element('', '', /^$/), attributes: attributesOf('colnum~ colname~ colwidth', '') }],
    ['thead', element('row', 'valign=top|middle|bottom', /^(row )+$/)],
    ['tbody', element('row', 'valign=top|middle|bottom', /^(row )+$/)],
    ['row', element('entry', 'valign=top|middle|bottom', /^(entry )+$/)],
    [
      'entry',
      element(
        `${phrases} ${refs} address list note`,
        'colname~ namest~ nameend~ morerows~ align=left|right|center|justify|char valign=top|middle|bottom',
      ),
    ],
  ]),
};

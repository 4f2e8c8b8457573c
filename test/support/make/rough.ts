// Records as no cataloguer should write them and databases hold them all the same: texts with broken markup, characters that XML has not,
// codes that no list and no schema knows, parts without what they should say. Rules that a save enforces (dates, kinds, refs) still hold.
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';

/** Texts that break naive writers of XML. */
const oddTexts: readonly string[] = [
  '',
  ' ',
  '\u00a0',
  'a\u0000b\u001b[31mc',
  'x]]>y',
  '<![CDATA[<y>]]>',
  'half \ud800 pair',
  '\udc00',
  '&',
  '&amp; &nbsp; &bogus; &#0; &#xD800; &#233;',
  '<',
  'a < b > c',
  '<b',
  '<p>',
  '</p>',
  '<emph render="bogus">x',
  '<emph render="bogus">x</emph>',
  '<p>a<p>b</p></p>',
  '<lb/><p/>',
  '<head>h</head>',
  '<list type="weird" numeration="so"><item>a</item>loose</list>',
  '<list/>',
  '<table><tgroup cols="x"><tbody><row><entry>e</entry></row></tbody></tgroup></table>',
  '<table/>',
  '<unitdate normal="no">1900</unitdate>',
  '<title xmlns:x="urn:y" x:z="1" render="italic">t</title>',
  '<extref href="a b|c" xlink:actuate="bogus" show="NEW">x</extref>',
  '<ref target="no such id">r</ref>',
  '<extptr/>',
  '<chronlist><chronitem/></chronlist>',
  '<blockquote>quoted</blockquote>',
  '<archref><unitid>1</unitid></archref>',
  '<note><p>n</p></note>',
  '<persname source="a b" authfilenumber="x" role="1">P</persname>',
  '<p id="a">1</p><p id="a">2</p>',
  '<dao href="x"/>',
  '<c><did/></c>',
  '<script>alert(1)</script>',
  '<br><img src=x>',
  '<!-- c --><?pi x?>',
  '\ufffe\uffff',
  '\r\n\t\u2028\u0085',
  '𝒳 العربية 文書',
  'http://example.org/a b|c?d=<e>&f',
  '%zz',
  '-5',
  '9'.repeat(40),
  'word '.repeat(800),
  'quote" and \' both',
  'a -- b --- c --> d',
];

// What a save checks, or what says which kind of thing a part is.
const kept: ReadonlySet<string> = new Set([
  'jsonmodel_type',
  'ref',
  'uri',
  'role',
  'level',
  'type',
  'term_type',
  'date_type',
  'date_label',
  'date_type_structured',
  'date_role',
  'name_order',
  'portion',
  'begin',
  'end',
  'event_date',
  'create_time',
  'system_mtime',
  'user_mtime',
  'date_standardized',
  'begin_date_standardized',
  'end_date_standardized',
  'date_standardized_type',
  'begin_date_standardized_type',
  'end_date_standardized_type',
  'maintenance_status',
  'maintenance_event_type',
  'maintenance_agent_type',
  'publication_status',
  'linked_agent_role',
  'persistent_id',
  'ref_id',
]);
const required: ReadonlySet<string> = new Set([
  ...kept,
  'structured_date_single',
  'structured_date_range',
  'names',
  'terms',
  'subnotes',
  '_resolved',
]);

/** The record with some of its texts odd, some codes unknown and some parts gone; the same for the same numbers from 0 to 1. */
export function roughened(record: JsonObject, random: () => number, share = 0.25): JsonObject {
  const walk = (value: Json, property: string): Json => {
    if (Array.isArray(value)) return value.map((item: Json) => walk(item, property));
    if (isObject(value)) {
      const entries = Object.entries(value).filter(([name]) => required.has(name) || random() >= share / 4);
      return Object.fromEntries(entries.map(([name, each]): [string, Json] => [name, walk(each ?? null, name)]));
    }
    if (typeof value !== 'string' || kept.has(property) || random() >= share) return value;
    return oddTexts[Math.floor(random() * oddTexts.length)] ?? value;
  };
  const changed = walk(record, '');
  return isObject(changed) ? changed : record;
}

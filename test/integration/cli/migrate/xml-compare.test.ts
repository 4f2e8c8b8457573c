// Documents of two services beside each other: what says nothing is passed over, what may differ is named, all else is told with its place.
import { expect, it } from 'vitest';
import { cpuCost } from '#test/support/cpu-cost.ts';
import { compareXml } from '../../../../apps/cli/migrate/xml-compare.ts';

const same = { differences: [], allowed: [] };

it('passes over prefixes, the order of attributes, white space between elements and comments', () => {
  expect(
    compareXml(
      '<?xml version="1.0"?><e:ead xmlns:e="urn:isbn:1-931666-22-9"><e:did level="file" id="a">\n <e:unittitle>One  two</e:unittitle></e:did></e:ead>',
      '<ead xmlns="urn:isbn:1-931666-22-9"><!-- x --><did id="a" level="file"><unittitle> One two</unittitle>\n</did></ead>',
    ),
  ).toEqual(same);
});

it('names what may differ', () => {
  const ead = (creation: string, container: string, site: string): string =>
    `<ead><eadheader><eadid url="${site}/repositories/2/resources/1"/><profiledesc><creation>${creation} <date>${creation}</date></creation></profiledesc></eadheader><container id="${container}" parent="${container}">7</container></ead>`;
  const { differences, allowed } = compareXml(
    ead('a', 'b', 'https://x.example'),
    ead('c', 'd', 'http://y.example:8081'),
  );
  expect(differences).toEqual([]);
  expect(allowed).toHaveLength(3);
});

it('compares what two releases write in another order, and names the address that one of them adds', () => {
  const earlier = '<c><did><unittitle>A</unittitle><unitid>1</unitid></did><p>x</p></c>';
  const later =
    '<c><did><unitid>1</unitid><unitid type="aspace_uri">/r/1</unitid><unittitle>A</unittitle></did><p>x</p></c>';
  expect(compareXml(earlier, later).differences.length).toBeGreaterThan(0);
  expect(compareXml(earlier, later, true)).toEqual({ differences: [], allowed: [expect.stringContaining('address')] });
  expect(compareXml(earlier, later.replace('>A<', '>B<'), true).differences).toEqual([
    { path: 'c/did/unittitle', source: 'A', here: 'B' },
  ]);
});

it('tells texts, attributes, and elements that are missing, more or others, with their place', () => {
  const { differences } = compareXml(
    '<ead><c level="file"><t>One</t><t>Two</t></c><p>a<i>b</i>c</p><n/></ead>',
    '<ead><c level="item"><t>One</t><t>Three</t></c><p>a<i>b</i>d</p><m/><q>1</q></ead>',
  );
  expect(differences).toEqual([
    { path: 'ead/c/@level', source: 'file', here: 'item' },
    { path: 'ead/c/t[2]', source: 'Two', here: 'Three' },
    { path: 'ead/p', source: 'c', here: 'd' },
    { path: 'ead/n', source: '<n>', here: '<m>' },
    { path: 'ead/q', source: null, here: '<q>' },
  ]);
  expect(compareXml('<a/>', '<b/>').differences).toEqual([{ path: '', source: 'a', here: 'b' }]);
});

it('tells ten places of one document at most, and fails at what is no XML', () => {
  const many = (text: string): string => `<a>${`<b>${text}</b>`.repeat(30)}</a>`;
  expect(compareXml(many('x'), many('y')).differences).toHaveLength(10);
  expect(() => compareXml('<a/>', 'Internal error')).toThrow();
});

it('costs for many siblings what it costs for as many elements in groups', async () => {
  const items = (count: number): string => '<c><did/></c>'.repeat(count);
  const differing =
    (body: string): (() => unknown) =>
    () =>
      compareXml(`<a>${body}<z/></a>`, `<a>${body}<y/></a>`);
  const grouped = await cpuCost(differing(`<g>${items(100)}</g>`.repeat(200)), 3);
  const flat = await cpuCost(differing(items(20_000)), 3);
  expect(flat / grouped).toBeLessThan(5);
});

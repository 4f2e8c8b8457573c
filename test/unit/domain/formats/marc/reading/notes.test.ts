// Texts of MARC as notes, which may have markup where MARC has none.
import { expect, test } from 'vitest';
import { readFormat } from '#test/support/import-reading.ts';
import { marcField as field, marcRecord as marc } from '#test/support/marc-document.ts';

const said = 'A &amp; B, &lt;text missing&gt;';
const kept = 'A &amp; B, &lt;text missing&gt;';
const title = field('245', '1', '0', { a: 'Papers,' });

test.each([
  ['300', 'that counts nothing', title],
  ['500', 'with a note', title],
  ['546', 'on languages', title],
])('what looks like markup in a field %s %s stays text', async (tag, _, others) => {
  const { of } = await readFormat('marcxml', marc(`${others}${field(tag, ' ', ' ', { a: said })}`));
  const record = of('resource')[0];
  expect(JSON.stringify([record?.['notes'], record?.['lang_materials']])).toContain(kept);
});

test('and so it does in histories of agents', async () => {
  const fields = `${field('100', '1', ' ', { a: 'Roe, Ann' })}${field('678', '0', ' ', { a: `a ${said}`, b: `b ${said}` })}`;
  const { of } = await readFormat('marcxml_auth_agent', marc(fields));
  expect(of('agent_person')[0]?.['notes']).toMatchObject([
    { subnotes: [{ content: [`a ${kept}`] }, { content: `b ${kept}` }] },
  ]);
});

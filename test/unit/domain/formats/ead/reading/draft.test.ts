// What the start tag of a record says: level and audience.
import { describe, expect, test } from 'vitest';
import { readDocument } from '#test/support/ead-document.ts';

async function component(attributes: string) {
  return (await readDocument({ dsc: `<c ${attributes}><did><unittitle>T</unittitle></did></c>` })).components[0] ?? {};
}

describe('createDraft', () => {
  test('takes known levels, and keeps unknown ones as the text of otherlevel', async () => {
    expect(await component('level="Series"')).toMatchObject({ level: 'series' });
    expect(await component('level="sub-sub"')).toMatchObject({ level: 'otherlevel', other_level: 'sub-sub' });
    expect(await component('level="otherlevel" otherlevel="Binder"')).toMatchObject({
      level: 'otherlevel',
      other_level: 'Binder',
    });
    expect(await component('')).toMatchObject({ level: 'otherlevel', other_level: 'unspecified' });
  });

  test('unpublishes what is internal, and the resource where ead itself is', async () => {
    expect(await component('level="file" audience="internal"')).toMatchObject({ publish: false });
    expect(await component('level="file" audience="external"')).toMatchObject({ publish: true });
    expect((await readDocument({ archdesc: 'level="fonds" audience="internal"' })).resource['publish']).toBe(false);
    const document = `<ead audience="internal"><archdesc level="fonds"><did><unittitle>T</unittitle><unitid>1</unitid><unitdate>1</unitdate>
      <physdesc><extent>1 volumes</extent></physdesc></did></archdesc></ead>`;
    expect((await readDocument(document)).resource['publish']).toBe(false);
  });
});

// The names that replies give their files; that they are written whole is shown by commands/export.test.ts.
import { expect, it } from 'vitest';
import { fileNameOf } from '../../../apps/cli/save.ts';

it.each([
  ['attachment; filename="aid.xml"', 'aid.xml'],
  [`attachment; filename="Gr__e.xml"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.xml`, 'Grüße.xml'],
  [`attachment; filename="plain.xml"; filename*=UTF-8''%FF`, 'plain.xml'],
  ['attachment; filename="../../etc/passwd"', 'passwd'],
  [`attachment; filename*=UTF-8''..%2F..%2F.profile`, '.profile'],
  ['attachment; filename=".."', null],
  ['attachment', null],
])('%s is %s', (header, name) => {
  expect(fileNameOf(new Response('', { headers: { 'content-disposition': header } }))).toBe(name);
});

it('is none where nothing is told', () => expect(fileNameOf(new Response(''))).toBeNull());

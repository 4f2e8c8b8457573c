// What a refusal says to whoever may not see all of the body.
import { expect, test } from 'vitest';
import { withoutBody } from '#domain/checking/bodiless-refusal.ts';
import { fail } from '#domain/errors.ts';

test('says what is wrong without the body, and of what is hidden that something is', () => {
  const { code, error, extra } = withoutBody(
    fail(
      'invalid_record',
      { 'names/0/source': ['Invalid value'], 'agent_contacts/0/salutation': ["Invalid value 'their own'"] },
      { warning: { 'agent_contacts/1/email': ['secret'], title: ['x'] }, invalid_object: 'secret', uri: '/agents/1' },
    ),
    ['agent_contacts'],
  );
  expect({ code, error, extra }).toEqual({
    code: 'invalid_record',
    error: { 'names/0/source': ['Invalid value'], agent_contacts: ['Is not valid'] },
    extra: { warning: { agent_contacts: ['Is not valid'], title: ['x'] }, uri: '/agents/1' },
  });
});

test('keeps the words of a failure that is about no property, and of properties that begin alike', () => {
  expect(withoutBody(fail('conflict', 'Gone'), ['agent_contacts']).error).toBe('Gone');
  expect(withoutBody(fail('invalid_record', { agent_contacts_of: ['x'] }), ['agent_contacts']).error).toEqual({
    agent_contacts_of: ['x'],
  });
});

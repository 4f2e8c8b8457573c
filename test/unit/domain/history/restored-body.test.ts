// The body that brings a version back.
import { expect, it } from 'vitest';
import { restoredBody } from '#domain/history/restored-body.ts';
import { kindNamed } from '#domain/addresses.ts';

it('has the old content, the place as it is now, and no position', () => {
  const resource = { ref: '/repositories/2/resources/1' };
  const body = restoredBody(
    kindNamed('archival_object'),
    {
      shown: { title: 'New', note: 'x', position: 3, resource, uri: 'u' },
      stored: { title: 'New', note: 'x' },
      old: { title: 'Old' },
      publish: false,
    },
    [],
  );
  expect(body).toEqual({ title: 'Old', resource, uri: 'u', publish: false });
});

it('keeps what the caller may not see as it is now', () => {
  const about = {
    shown: { agent_contacts: ['now'] },
    stored: { agent_contacts: ['now'] },
    old: { agent_contacts: ['then'] },
    publish: null,
  };
  expect(restoredBody(kindNamed('agent_person'), about, ['agent_contacts'])).toEqual({ agent_contacts: ['now'] });
});

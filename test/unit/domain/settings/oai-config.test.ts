// What the OAI settings must have (contract 6.17).
import { expect, test } from 'vitest';
import { oaiConfigFaults } from '#domain/settings/oai-config.ts';

const sound = { oai_record_prefix: 'oai:x', oai_admin_email: 'a@b.co', oai_repository_name: 'n' };

test('takes what is complete', () => expect(oaiConfigFaults(sound)).toBeNull());

test('names what is missing', () => {
  expect(oaiConfigFaults({})).toEqual({
    oai_record_prefix: ['is not present'],
    oai_admin_email: ['is not present', 'must be a valid email address'],
    oai_repository_name: ['is not present'],
  });
});

test('takes blanks for nothing', () => {
  expect(oaiConfigFaults({ ...sound, oai_record_prefix: ' ', oai_repository_name: '' })).toEqual({
    oai_record_prefix: ['is not present'],
    oai_repository_name: ['is not present'],
  });
});

test.each(['oai:two words', 'oai:x#y', 'oai:x?y', '1oai', 'oai:é', ':x', 'oai:"x"', 'oai:x\n'])(
  'does not take %j for the beginning of identifiers',
  (oai_record_prefix) => {
    expect(oaiConfigFaults({ ...sound, oai_record_prefix })).toEqual({
      oai_record_prefix: ['must be the beginning of a URI, such as oai:archives.example.org'],
    });
  },
);

test.each(['oai:archivesspace', 'oai:archives.example.org', 'archives', 'https://example.org/oai', 'oai:x/y_z'])(
  'takes %s for it',
  (oai_record_prefix) => expect(oaiConfigFaults({ ...sound, oai_record_prefix })).toBeNull(),
);

test.each(['x', 'a@b', 'a b@c.de', '@b.co', 'a@b.c', 'a@b.c0', 'a@b@c.de'])(
  'does not take %s for an address',
  (oai_admin_email) => {
    expect(oaiConfigFaults({ ...sound, oai_admin_email })).toEqual({
      oai_admin_email: ['must be a valid email address'],
    });
  },
);

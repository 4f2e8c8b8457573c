// What the public may see of a record.
import { expect, test } from 'vitest';
import { publishedParts } from '#domain/formats/published-only.ts';

const agent = (publish: boolean): object => ({ ref: `/agents/people/${publish}`, _resolved: { publish } });

test('parts that say they are not published go, at any depth; those without a flag stay', () => {
  expect(publishedParts({ publish: false, notes: [{ publish: true, subnotes: [{ publish: false }, { content: 'a' }] }, { publish: false }], dates: [{ begin: '1' }] }))
    .toEqual({ publish: false, notes: [{ publish: true, subnotes: [{ content: 'a' }] }], dates: [{ begin: '1' }] });
});

test('links to agents that are unpublished or could not be read go', () => {
  expect(publishedParts({ linked_agents: [agent(true), agent(false), { ref: '/agents/people/3' }] as never })).toEqual({ linked_agents: [agent(true)] });
});

test('instances of hidden digital objects go, and their unpublished files; containers stay', () => {
  const instance = (publish: boolean, files: object[]): object => ({ digital_object: { ref: '/d', _resolved: { publish, file_versions: files } } });
  const container = { sub_container: { top_container: { ref: '/t', _resolved: { indicator: '1' } } } };
  expect(publishedParts({ instances: [instance(false, []), instance(true, [{ publish: false }, { publish: true }]), container] as never }))
    .toEqual({ instances: [instance(true, [{ publish: true }]), container] });
});

test('subjects stay, whatever their derived flag', () => {
  expect(publishedParts({ subjects: [{ ref: '/subjects/1', _resolved: { publish: false } }] })).toEqual({ subjects: [{ ref: '/subjects/1', _resolved: { publish: false } }] });
});

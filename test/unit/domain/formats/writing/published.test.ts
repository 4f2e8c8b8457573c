import { expect, it } from 'vitest';
import { publishedPart } from '#domain/formats/writing/published.ts';

it('leaves out parts that are not published, however deep', () => {
  const record = {
    publish: false,
    title: 'stays',
    notes: [
      { type: 'a', publish: false },
      { type: 'b', publish: true, subnotes: [{ content: 'x', publish: false }, { content: 'y' }] },
    ],
    lang_materials: [{ notes: [{ publish: false }] }],
  };
  expect(publishedPart(record)).toEqual({
    publish: false,
    title: 'stays',
    notes: [{ type: 'b', publish: true, subnotes: [{ content: 'y' }] }],
    lang_materials: [{ notes: [] }],
  });
});

it('leaves out agents that are not published or were not resolved, and keeps subjects', () => {
  const record = {
    linked_agents: [
      { ref: '/agents/people/1', _resolved: { publish: false } },
      { ref: '/agents/people/2' },
      { ref: '/agents/people/3', _resolved: { publish: true, notes: [{ publish: false }] } },
    ],
    subjects: [{ ref: '/subjects/1', _resolved: { publish: false, title: 's' } }],
  };
  expect(publishedPart(record)).toEqual({
    linked_agents: [{ ref: '/agents/people/3', _resolved: { publish: true, notes: [] } }],
    subjects: record.subjects,
  });
});

const agent = (publish: boolean): object => ({ ref: `/agents/people/${publish}`, _resolved: { publish } });

it('parts that say they are not published go, at any depth; those without a flag stay', () => {
  expect(
    publishedPart({
      publish: false,
      notes: [{ publish: true, subnotes: [{ publish: false }, { content: 'a' }] }, { publish: false }],
      dates: [{ begin: '1' }],
    }),
  ).toEqual({ publish: false, notes: [{ publish: true, subnotes: [{ content: 'a' }] }], dates: [{ begin: '1' }] });
});

it('links to agents that are unpublished or could not be read go', () => {
  expect(publishedPart({ linked_agents: [agent(true), agent(false), { ref: '/agents/people/3' }] as never })).toEqual({
    linked_agents: [agent(true)],
  });
});

it('instances of hidden digital objects go, and their unpublished files; containers stay', () => {
  const instance = (publish: boolean, files: object[]): object => ({
    digital_object: { ref: '/d', _resolved: { publish, file_versions: files } },
  });
  const container = { sub_container: { top_container: { ref: '/t', _resolved: { indicator: '1' } } } };
  expect(
    publishedPart({
      instances: [instance(false, []), instance(true, [{ publish: false }, { publish: true }]), container] as never,
    }),
  ).toEqual({ instances: [instance(true, [{ publish: true }]), container] });
});

it('subjects stay, whatever their derived flag', () => {
  expect(publishedPart({ subjects: [{ ref: '/subjects/1', _resolved: { publish: false } }] })).toEqual({
    subjects: [{ ref: '/subjects/1', _resolved: { publish: false } }],
  });
});

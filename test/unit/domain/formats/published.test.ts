import { expect, it } from 'vitest';
import { publishedPart } from '#domain/formats/published.ts';

it('leaves out parts that are not published, however deep', () => {
  const record = {
    publish: false, title: 'stays', notes: [{ type: 'a', publish: false }, { type: 'b', publish: true, subnotes: [{ content: 'x', publish: false }, { content: 'y' }] }],
    lang_materials: [{ notes: [{ publish: false }] }],
  };
  expect(publishedPart(record)).toEqual({ publish: false, title: 'stays', notes: [{ type: 'b', publish: true, subnotes: [{ content: 'y' }] }], lang_materials: [{ notes: [] }] });
});

it('leaves out agents that are not published or were not resolved, and keeps subjects', () => {
  const record = {
    linked_agents: [{ ref: '/agents/people/1', _resolved: { publish: false } }, { ref: '/agents/people/2' }, { ref: '/agents/people/3', _resolved: { publish: true, notes: [{ publish: false }] } }],
    subjects: [{ ref: '/subjects/1', _resolved: { publish: false, title: 's' } }],
  };
  expect(publishedPart(record)).toEqual({ linked_agents: [{ ref: '/agents/people/3', _resolved: { publish: true, notes: [] } }], subjects: record.subjects });
});

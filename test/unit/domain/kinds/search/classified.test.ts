// What classifications and their terms declare about search.
import { expect, it } from 'vitest';
import { classifiedSearch } from '#domain/kinds/search/classified.ts';

const { fields = {} } = classifiedSearch({});

it('says who made the scheme, to the public only where that agent is published', () => {
  const creator = (publish: boolean) => ({
    creator: { ref: '/agents/people/1', _resolved: { title: 'Ann', publish } },
  });
  const read = (name: string, publish: boolean) => fields[name]?.read(creator(publish), {});
  expect([read('agents', false), read('published_agents', false)]).toEqual([['Ann'], undefined]);
  expect([read('published_agents', true), read('published_agent_uris', true)]).toEqual([['Ann'], ['/agents/people/1']]);
});

it('sorts by its repository', () => {
  expect(fields['repo_sort']?.read({}, { repositoryName: 'Archive' })).toBe('Archive');
});

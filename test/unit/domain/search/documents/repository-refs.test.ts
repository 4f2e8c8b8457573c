import { expect, it } from 'vitest';
import { completeRepository, repositoryIn, withRepositoryLast } from '#domain/search/documents/repository-refs.ts';

const repository = { ref: '/repositories/2' };
const known = new Map([['/repositories/2', '{"name":"Home"}']]);

it('completes the ref of the record itself, and no other of the same text', () => {
  const json = JSON.stringify(
    withRepositoryLast({ repository, title: 'a "repository":{"ref":"/repositories/2"}}', container: { repository } }),
  );
  expect(JSON.parse(String(completeRepository(json, known)))).toEqual({
    title: 'a "repository":{"ref":"/repositories/2"}}',
    container: { repository },
    repository: { ref: '/repositories/2', _resolved: { name: 'Home' } },
  });
});

it('leaves alone what belongs to no repository, or to one that is not known', () => {
  expect(completeRepository('{"title":"a"}', known)).toBe('{"title":"a"}');
  const json = JSON.stringify({ repository: { ref: '/repositories/3' } });
  expect(completeRepository(json, known)).toBe(json);
  expect(completeRepository(undefined, known)).toBeUndefined();
});

it('finds the repository of a document, not of a record within its json', () => {
  expect(
    repositoryIn(
      JSON.stringify({ json: JSON.stringify({ repository: '/repositories/9' }), repository: '/repositories/2' }),
    ),
  ).toBe('/repositories/2');
  expect(repositoryIn(JSON.stringify({ repository: 'global' }))).toBeUndefined();
});

// What the console offers as documents is what the exports declare.
import { describe, expect, it } from 'vitest';
import { allExports } from '#domain/formats/exports.ts';
import { addressOf, documentsOf, repositoryOf } from '../../../apps/console/record/documents.ts';

describe('documents that the console offers', () => {
  it('stand where the exports of their kind are, and take what is asked of them', () => {
    for (const [kind, documents] of Object.entries(documentsOf))
      for (const document of documents) {
        const declared = allExports.find(
          ({ paths }) => (paths as { [kind: string]: string })[kind] === `/repositories/:repo_id${document.path}`,
        );
        expect(declared, document.name).toBeDefined();
        const asked = [...new URLSearchParams(document.query).keys(), ...(document.unpublished ?? '').split(' ')];
        expect(Object.keys(declared?.options ?? {})).toEqual(expect.arrayContaining(asked.filter(Boolean)));
        expect(declared?.unpublished).toBe(document.unpublished ?? 'always');
      }
  });

  it('are all that there is, of every kind, but for what programs alone read', () => {
    const forPrograms = ['RecordLines'];
    for (const kind of new Set(allExports.flatMap(({ paths }) => Object.keys(paths)))) {
      const paths = (documentsOf[kind] ?? []).map(({ path }) => `/repositories/:repo_id${path}`);
      const missing = allExports
        .filter(({ name }) => !forPrograms.includes(name))
        .flatMap((each) => each.paths[kind] ?? [])
        .filter((path) => !paths.includes(path));
      expect(missing, kind).toEqual([]);
    }
  });

  it('have their address in the repository of the record, with what is not published where that is asked for', () => {
    const addresses = (documentsOf['resource'] ?? []).map((document) =>
      addressOf(document, '/repositories/2/resources/7', '/repositories/2', true),
    );
    expect(addresses).toContain(
      '/repositories/2/resource_descriptions/7.xml?include_daos=true&ead3=true&include_unpublished=true',
    );
    expect(addresses).toContain('/repositories/2/resource_labels/7.tsv');
  });

  it('are asked for in the repository of the record; those of agents in the one that is worked in', () => {
    expect(repositoryOf('/repositories/2/resources/7', '/repositories/3')).toBe('/repositories/2');
    expect(repositoryOf('/agents/people/7', '/repositories/3')).toBe('/repositories/3');
    expect(repositoryOf('/agents/people/7', null)).toBeNull();
    const addresses = (documentsOf['agent_person'] ?? []).map((document) =>
      addressOf(document, '/agents/people/7', '/repositories/3', false),
    );
    expect(addresses).toEqual([
      '/repositories/3/archival_contexts/people/7.xml',
      '/repositories/3/agents/people/marc21/7.xml',
    ]);
  });
});

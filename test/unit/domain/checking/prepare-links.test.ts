// What prepare finds in a body that leads to other records, and the lists whose entries it compares with each other.
// Contract: behaviour-records.md, section 3.1.
import { describe, expect, it } from 'vitest';
import { accession, component, prepared, refusalOf, resource } from '#test/support/make/prepared.ts';

describe('links', () => {
  it('finds refs, uris and link objects with their places and roles', () => {
    const links = prepared('accession', {
      ...accession,
      subjects: [{ ref: '/subjects/4' }],
      linked_agents: [{ ref: '/agents/people/5', role: 'creator', relator: 'aut', terms: ['/terms/6'] }],
      related_accessions: [
        {
          jsonmodel_type: 'accession_parts_relationship',
          ref: '/repositories/2/accessions/7',
          relator: 'has_part',
          relator_type: 'part',
        },
      ],
      instances: [
        { instance_type: 'text', sub_container: { top_container: { ref: '/repositories/2/top_containers/8' } } },
      ],
    }).links;
    expect(links).toEqual([
      {
        property: 'related_accessions',
        path: 'related_accessions/0',
        uri: '/repositories/2/accessions/7',
        role: 'has_part',
      },
      {
        property: 'subjects',
        path: 'subjects/0',
        uri: '/subjects/4',
        role: null,
        address: { kind: 'subject', id: 4, repoId: null },
      },
      {
        property: 'linked_agents.terms',
        path: 'linked_agents/0/terms/0',
        uri: '/terms/6',
        role: null,
        address: { kind: 'term', id: 6, repoId: null },
      },
      {
        property: 'linked_agents',
        path: 'linked_agents/0',
        uri: '/agents/people/5',
        role: 'creator',
        address: { kind: 'agent_person', id: 5, repoId: null },
      },
      {
        property: 'instances.sub_container.top_container',
        path: 'instances/0/sub_container/top_container',
        uri: '/repositories/2/top_containers/8',
        role: null,
        address: { kind: 'top_container', id: 8, repoId: 2 },
      },
    ]);
  });

  it('takes temporary uris in imports alone', () => {
    const body = { ...component, resource: { ref: '/repositories/import/resources/import_6b2c-41' } };
    expect(prepared('archival_object', body, { acceptTemporary: true }).links[0]?.uri).toBe(
      '/repositories/import/resources/import_6b2c-41',
    );
    expect(refusalOf('archival_object', body).error).toHaveProperty(['resource/ref']);
    expect(
      refusalOf(
        'archival_object',
        { ...component, resource: { ref: '/repositories/2/accessions/import_6b2c' } },
        { acceptTemporary: true },
      ).error,
    ).toHaveProperty(['resource/ref']);
  });

  it('takes new values of editable lists in imports alone, each once', () => {
    const extents = ['furlongs', 'furlongs', 'reels'].map((type) => ({
      portion: 'whole',
      number: '1',
      extent_type: type,
    }));
    expect(
      prepared('accession', { ...accession, extents }, { createEnumerationValues: true }).newEnumerationValues,
    ).toEqual([{ list: 'extent_extent_type', value: 'furlongs' }]);
    expect(refusalOf('accession', { ...accession, extents }).error).toHaveProperty(['extents/1/extent_type']);
    const long = [{ portion: 'whole', number: '1', extent_type: 'é'.repeat(256) }];
    expect(
      refusalOf('accession', { ...accession, extents: long }, { createEnumerationValues: true }).error,
    ).toHaveProperty(['extents/0/extent_type'], ['Must be 255 characters or fewer']);
    expect(
      refusalOf('archival_object', { ...component, level: 'shelf' }, { createEnumerationValues: true }).error,
    ).toHaveProperty(['level']);
  });
});

describe('lists whose entries are compared', () => {
  it('lets accessions have several representative instances, and resources one', () => {
    const instances = [1, 2].map((id) => ({
      instance_type: 'text',
      is_representative: true,
      sub_container: { top_container: { ref: `/repositories/2/top_containers/${id}` } },
    }));
    expect(prepared('accession', { ...accession, instances }).links).toHaveLength(2);
    expect(refusalOf('resource', { ...resource, instances }).error).toEqual({
      'instances/1/is_representative': ['A resource can have only one Instance defined as: is_representative'],
    });
  });

  it('lets one linked agent be primary', () => {
    const linked_agents = [1, 2].map((id) => ({ ref: `/agents/people/${id}`, role: 'creator', is_primary: true }));
    expect(refusalOf('resource', { ...resource, linked_agents }).error).toEqual({
      linked_agents: ['A resource can have only one primary linked agent'],
    });
  });

  it('reports them only where everything else passed', () => {
    const linked_agents = [1, 2].map((id) => ({ ref: `/agents/people/${id}`, role: 'creator', is_primary: true }));
    expect(refusalOf('resource', { ...resource, linked_agents, title: 5 }).error).toEqual({
      title: ['Must be a string (you provided a Integer)'],
    });
  });
});

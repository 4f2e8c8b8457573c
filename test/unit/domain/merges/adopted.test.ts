// What the record that stays takes over (contract trees-and-jobs 4.4).
import { expect, it } from 'vitest';
import { adoptedProfile, adoptedRefs, noteLine, withAdopted } from '#domain/merges/adopted.ts';

const agent = (id: number, role: string, more = {}) => ({ ref: `/agents/people/${id}`, role, ...more });

it('takes over agents in roles that the survivor does not have them in, each once', () => {
  const own = { linked_agents: [agent(1, 'creator', { is_primary: true })], subjects: [] };
  const refs = adoptedRefs('resource', own, [
    { linked_agents: [agent(1, 'creator', { relator: 'aut' }), agent(1, 'subject', { is_primary: true })] },
    { linked_agents: [agent(1, 'subject')], subjects: [{ ref: '/subjects/1' }] },
  ]);
  expect(refs.map(({ property, from, index }) => [property, from, index])).toEqual([
    ['linked_agents', 0, 1],
    ['subjects', 1, 0],
  ]);
  expect(withAdopted(own, refs, null)).toEqual({
    linked_agents: [agent(1, 'creator', { is_primary: true }), agent(1, 'subject', { is_primary: false })],
    subjects: [{ ref: '/subjects/1' }],
  });
});

it('takes nothing over for agents and subjects', () => {
  expect(adoptedRefs('agent_person', {}, [{ linked_agents: [agent(1, 'creator')] }])).toEqual([]);
});

it('leaves a container where it stands, and puts one that stands nowhere where the first of the others does', () => {
  const at = (id: number, date = '2020-01-01') => ({
    container_locations: [{ ref: `/locations/${id}`, status: 'current', start_date: date }],
  });
  expect(adoptedRefs('top_container', at(1), [at(2), at(3)])).toEqual([]);
  expect(adoptedRefs('top_container', {}, [{}, at(2), at(3)])).toEqual([
    { property: 'container_locations', ref: at(2).container_locations[0], from: 1, index: 0 },
  ]);
  expect(adoptedRefs('top_container', {}, [{}, {}])).toEqual([]);
});

it('takes a common profile where the container has none', () => {
  const [one, other] = [
    { container_profile: { ref: '/container_profiles/1' } },
    { container_profile: { ref: '/container_profiles/2' } },
  ];
  expect(adoptedProfile({}, [one, {}, one])).toEqual(one.container_profile);
  expect([adoptedProfile({}, [one, other]), adoptedProfile(other, [one]), adoptedProfile({}, [{}])]).toEqual([
    null,
    null,
    null,
  ]);
});

it('tells of a root by identifier and title', () => {
  expect(noteLine({ id_0: 'A', id_1: '1', title: 'Papers' })).toBe('A--1 -- Papers');
  expect(noteLine({ digital_object_id: 'D', title: 'Scan' })).toBe('D -- Scan');
});

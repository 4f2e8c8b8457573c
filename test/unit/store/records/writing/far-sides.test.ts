// Which records on the other sides of links a save concerns: those of links that were made, changed or dropped, whichever side had written them.
import { expect, test } from 'vitest';
import type { LinkRow } from '#domain/checking/split.ts';
import { agentPerson } from '#domain/kinds/agent_person.ts';
import { changedFarSides } from '#store/records/writing/far-sides.ts';

const relation = agentPerson.mutual?.['related_agents']?.relation ?? '';
const other = { kind: agentPerson.name, id: 7 };
const stored = (relator: string, far: boolean) => ({ ...other, relation, ref: JSON.stringify({ relator }), far });
const sent = (relator: string): LinkRow => ({
  property: 'related_agents',
  path: 'related_agents/0',
  targetKind: other.kind,
  targetId: other.id,
  targetRepoId: null,
  uri: '/agents/people/7',
  role: relator,
  mutual: relation,
  ref: JSON.stringify({ relator }),
});

test.each([
  ['made', [], [sent('is_parent_of')], true],
  ['dropped', [stored('is_parent_of', false)], [], true],
  ['changed', [stored('is_parent_of', false)], [sent('is_child_of')], true],
  ['as it was', [stored('is_parent_of', false)], [sent('is_parent_of')], false],
  ['as it was, written from the other side', [stored('is_parent_of', true)], [sent('is_child_of')], false],
  ['no link that both sides write', [], [{ ...sent('creator'), mutual: null, ref: null }], false],
])('a link that is %s', (_, before, after, isConcerned) => {
  const far = changedFarSides(agentPerson, before, after);
  expect(new Set(far.map(({ kind, id }) => `${kind} ${id}`))).toEqual(new Set(isConcerned ? ['agent_person 7'] : []));
});

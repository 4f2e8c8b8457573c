// The way to an empty form: which records somebody may make here.
import type { JSX } from 'preact';
import { typeName } from '../labels.ts';
import { mayEdit } from '../record/may-edit.ts';
import { t } from '../words.ts';

// What stands by itself; what stands in a tree is added there.
const inRepository: readonly (readonly [kind: string, path: string])[] = [
  ['resource', 'resources'],
  ['accession', 'accessions'],
  ['digital_object', 'digital_objects'],
  ['top_container', 'top_containers'],
];
const shared: readonly (readonly [kind: string, path: string])[] = [
  ['agent_person', 'agents/people'],
  ['agent_corporate_entity', 'agents/corporate_entities'],
  ['agent_family', 'agents/families'],
  ['subject', 'subjects'],
  ['location', 'locations'],
  ['repository', 'repositories'],
];

/** Links to the forms of what the user may make; of a repository's records only where one is chosen. */
export function NewRecord({ repository }: { readonly repository: string | null }): JSX.Element | null {
  const offered = [
    ...(repository === null ? [] : inRepository.map(([kind, path]) => [kind, `${repository}/${path}`] as const)),
    ...shared.map(([kind, path]) => [kind, `/${path}`] as const),
  ].filter(([kind, address]) => mayEdit(kind, address));
  if (offered.length === 0) return null;
  return (
    <details class="new">
      <summary>{t('new_record')}</summary>
      <ul>
        {offered.map(([kind, address]) => (
          <li key={kind}>
            <a href={`/console/new${address}`}>{typeName(kind)}</a>
          </li>
        ))}
      </ul>
    </details>
  );
}

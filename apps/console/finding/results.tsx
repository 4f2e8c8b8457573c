// What was found: each record with its type, where it stands, and what tells it from others.
import type { JSX } from 'preact';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { objectsOf, textOf, textsOf } from '../../../libs/domain/json.ts';
import { recordAddress } from '../address.ts';
import { typeName, valueName } from '../labels.ts';
import { Title } from '../markup.tsx';
import { repositoryName } from '../repositories.ts';
import { t } from '../words.ts';

// Types of which it says something that they are not published.
const isForThePublic = /^(?:resource|archival_object|accession|digital_object|agent|classification)/;

/** The rows of a page of results. */
export function Results({
  rows,
  isAll,
}: {
  readonly rows: readonly JsonObject[];
  readonly isAll: boolean;
}): JSX.Element {
  return (
    <ol class="results">
      {rows.map((row) => {
        const uri = textOf(row, 'uri') ?? textOf(row, 'id') ?? '';
        const level = textOf(row, 'level');
        const repository = textOf(row, 'repository');
        const type = textOf(row, 'primary_type') ?? '';
        // A collection of the level collection says so once.
        const facts = new Set([
          typeName(type),
          ...(level === undefined ? [] : [valueName('level', level)]),
          ...identifierOf(row),
          ...textsOf(row, 'dates').slice(0, 1),
        ]);
        return (
          <li key={textOf(row, 'id')}>
            <Path row={row} />
            <a class="title" href={recordAddress(uri)}>
              <Title text={textOf(row, 'title')} />
            </a>
            <p class="facts">
              {[...facts].map((fact) => (
                <span key={fact}>
                  <bdi>{fact}</bdi>
                </span>
              ))}
              {row['publish'] === false && isForThePublic.test(type) && <span class="badge">{t('unpublished')}</span>}
              {row['suppressed'] === true && <span class="badge">{t('suppressed')}</span>}
              {isAll && repository !== undefined && repository !== 'global' && (
                <span class="soft">{repositoryName(repository)}</span>
              )}
            </p>
          </li>
        );
      })}
    </ol>
  );
}

const identifierOf = (row: JsonObject): readonly string[] => {
  const text = textOf(row, 'identifier') ?? textOf(row, 'four_part_id') ?? textOf(row, 'component_id');
  return text === undefined ? [] : [text];
};

/** What is above a record, from the root of its tree down. */
function Path({ row }: { readonly row: JsonObject }): JSX.Element | null {
  const steps = objectsOf(row, '_path');
  if (steps.length === 0) return null;
  return (
    <ul class="path" aria-label={t('stands_in')}>
      {steps.map((step) => (
        <li key={textOf(step, 'uri')}>
          <a href={recordAddress(textOf(step, 'uri') ?? '')}>
            <Title text={textOf(step, 'title')} />
          </a>
        </li>
      ))}
    </ul>
  );
}

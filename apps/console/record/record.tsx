// One record, as people read it and as JSON, with what it names, what names it, and its history.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { isObject, objectOf, objectsOf, textOf } from '../../../libs/domain/json.ts';
import { recordAddress } from '../address.ts';
import { Instead, useAsked } from '../asking.tsx';
import { readLabels, typeName, valueName } from '../labels.ts';
import { Marked, Title } from '../markup.tsx';
import { readRepositories, repositoryName } from '../repositories.ts';
import { useTitle } from '../title.ts';
import { t, time } from '../words.ts';
import { Export } from './export.tsx';
import { History } from './history.tsx';
import { NamedBy } from './named-by.tsx';
import { Notes } from './notes.tsx';
import { isRefused, mayEdit } from './may-edit.ts';
import { Properties, identifierOf } from './properties.tsx';
import { resolved } from './resolved.ts';

/** The view of a record; `rest` is its uri. */
export function RecordView({ rest: uri }: { readonly rest: string }): JSX.Element {
  const { value, fault, again } = useAsked(uri, { resolve: resolved });
  useEffect(readLabels, []);
  useEffect(() => void readRepositories().catch(() => undefined), []);
  const record = isObject(value) ? value : undefined;
  useTitle(record === undefined ? '' : titleOf(record));
  return record === undefined || fault !== null ? (
    <Instead title={t('record')} fault={fault} again={again} />
  ) : (
    <Whole uri={uri} record={record} again={again} />
  );
}

const titleOf = (record: JsonObject): string =>
  textOf(record, 'display_string') ?? textOf(record, 'title') ?? textOf(record, 'name') ?? textOf(record, 'uri') ?? '';

const rootOf = (uri: string, record: JsonObject): string | undefined => {
  if (/\/(?:resources|digital_objects|classifications)\/\d+$/.test(uri)) return uri;
  return ['resource', 'digital_object', 'classification']
    .map((name) => textOf(objectOf(record, name), 'ref'))
    .find(Boolean);
};

function Whole({
  uri,
  record,
  again,
}: {
  readonly uri: string;
  readonly record: JsonObject;
  readonly again: () => void;
}): JSX.Element {
  const [isJson, setJson] = useState(false);
  const root = rootOf(uri, record);
  const type = textOf(record, 'jsonmodel_type') ?? '';
  const level = textOf(record, 'level');
  const identifier = identifierOf(record);
  return (
    <article class="record">
      <Above record={record} />
      <h1>
        <Marked text={titleOf(record)} inline />
      </h1>
      <p class="facts">
        {[...new Set([typeName(type), ...(level === undefined ? [] : [valueName('level', level)])])].map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
        {identifier !== '' && (
          <span>
            <bdi>{identifier}</bdi>
          </span>
        )}
        {record['publish'] === false && <span class="badge">{t('unpublished')}</span>}
        {record['suppressed'] === true && <span class="badge">{t('suppressed')}</span>}
      </p>
      <div class="buttons">
        {mayEdit(type, uri) && (
          <a class="button" href={`/console/edit${uri}`}>
            {t('edit')}
          </a>
        )}
        {root !== undefined && (
          <a class="button" href={`/console/tree${root}${root === uri ? '' : `?node=${encodeURIComponent(uri)}`}`}>
            {t('show_tree')}
          </a>
        )}
        <button type="button" aria-pressed={isJson} onClick={() => setJson(!isJson)}>
          JSON
        </button>
        <Export kind={type} uri={uri} />
      </div>
      {isJson ? (
        <pre tabIndex={0} aria-label="JSON">
          {JSON.stringify(withoutResolved(record), null, 2)}
        </pre>
      ) : (
        <>
          <Properties record={record} />
          <Notes notes={objectsOf(record, 'notes')} />
          <NamedBy uri={uri} />
          {!isRefused(type, uri) && (
            <History
              key={String(record['lock_version'])}
              uri={uri}
              lockVersion={mayEdit(type, uri) ? Number(record['lock_version']) : null}
              onRestored={again}
            />
          )}
          <p class="foot soft">
            {t('made_by', { who: textOf(record, 'created_by') ?? '–', when: time(textOf(record, 'create_time')) })}{' '}
            {t('changed_by', {
              who: textOf(record, 'last_modified_by') ?? '–',
              when: time(textOf(record, 'user_mtime') ?? textOf(record, 'system_mtime')),
            })}
          </p>
        </>
      )}
    </article>
  );
}

/** Where the record stands: its repository, and what is above it in its tree. */
function Above({ record }: { readonly record: JsonObject }): JSX.Element {
  const repository = textOf(objectOf(record, 'repository'), 'ref');
  // The nearest comes first in the record.
  const above = objectsOf(record, 'ancestors').toReversed();
  return (
    <nav aria-label={t('stands_in')}>
      <ol class="path">
        {repository !== undefined && (
          <li>
            <a href={`/console?repo=${encodeURIComponent(repository)}`}>{repositoryName(repository)}</a>
          </li>
        )}
        {above.map((step) => (
          <li key={textOf(step, 'ref')}>
            <a href={recordAddress(textOf(step, 'ref') ?? '')}>
              <Title text={titleOf(objectOf(step, '_resolved') ?? {})} />
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** The record as the service stores it, without what was asked for beside it. */
function withoutResolved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutResolved);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => (name === '_resolved' ? [] : [[name, withoutResolved(each)]])),
  );
}

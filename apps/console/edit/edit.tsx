// A record in a form made from its schema, to change it or to make a new one.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { isObject, textOf } from '../../../libs/domain/json.ts';
import { query, recordAddress } from '../address.ts';
import { ServiceError } from '../../../libs/client/errors.ts';
import { Instead, useAsked } from '../asking.tsx';
import { readLabels, typeName } from '../labels.ts';
import { Title } from '../markup.tsx';
import { isRefused } from '../record/may-edit.ts';
import { resolved } from '../record/resolved.ts';
import { readRepositories } from '../repositories.ts';
import { useTitle } from '../title.ts';
import { t } from '../words.ts';
import { Editor } from './editor.tsx';
import { LeftDraft } from './left-draft.tsx';
import { nameOf } from './lists.ts';
import type { Schemas } from './schema.ts';
import { beginningOf, fieldsOfRecord, kindMadeAt, readSchemas } from './schema.ts';
import { e } from './words.ts';

/** The form of a record that there is; `rest` is its uri. */
export function EditView({ rest: uri }: { readonly rest: string }): JSX.Element {
  const { schemas, fault: noSchemas, again: askSchemas } = useSchemas();
  const { value, fault, again } = useAsked(uri, { resolve: resolved });
  const record = isObject(value) ? value : undefined;
  const title = record === undefined ? '' : e('edit_this', { title: nameOf(record) });
  useTitle(title);
  if (noSchemas !== null || schemas === undefined)
    return <Instead title={t('edit')} fault={noSchemas} again={askSchemas} />;
  if (fault !== null || record === undefined)
    return (
      <>
        <Instead title={t('edit')} fault={fault} again={again} />
        {fault instanceof ServiceError && [403, 404].includes(fault.status) && <LeftDraft address={uri} />}
      </>
    );
  const kind = textOf(record, 'jsonmodel_type') ?? '';
  // Nobody is to fill in what would be refused at the end.
  if (isRefused(kind, uri))
    return (
      <>
        <Denied title={nameOf(record)} back={recordAddress(uri)} />
        <LeftDraft address={uri} />
      </>
    );
  return (
    <Editor
      schemas={schemas}
      kind={kind}
      address={uri}
      draftAt={uri}
      record={record}
      beginning={record}
      heading={nameOf(record)}
    />
  );
}

/** The form of a new record; `rest` is the address that it is sent to, the query names what it is to hold from the start. */
export function NewView({ rest: address }: { readonly rest: string }): JSX.Element {
  const { schemas, fault, again } = useSchemas();
  const kind = schemas === undefined ? undefined : kindMadeAt(schemas, address);
  useTitle(kind === undefined ? '' : e('new_of', { type: typeName(kind) }));
  if (fault !== null || schemas === undefined) return <Instead title={t('new_record')} fault={fault} again={again} />;
  if (kind === undefined)
    return (
      <>
        <h1>{t('new_record')}</h1>
        <p class="empty">{e('no_form')}</p>
      </>
    );
  if (isRefused(kind, address)) return <Denied title={e('new_of', { type: typeName(kind) })} back="/console" />;
  const here = location.pathname + location.search;
  return (
    <Editor
      // Back and Forward lead from one such form to another of the same path.
      key={here}
      schemas={schemas}
      kind={kind}
      address={address}
      draftAt={here}
      record={null}
      beginning={{ ...beginningOf(schemas, fieldsOfRecord(schemas, kind)), ...namedInQuery() }}
      heading={null}
    />
  );
}

const Denied = ({ title, back }: { readonly title: string; readonly back: string }): JSX.Element => (
  <>
    <h1>
      <Title text={title} />
    </h1>
    <p class="empty">{e('denied')}</p>
    <a class="button" href={back}>
      {e('back')}
    </a>
  </>
);

/** What the address says of a new record: links by uri, its place among its siblings, and texts. */
function namedInQuery(): JsonObject {
  return Object.fromEntries(
    [...query.value]
      .filter(([name]) => name !== 'from')
      .map(([name, value]) => [
        name,
        name === 'position' ? Number(value) : value.startsWith('/') ? { ref: value } : value,
      ]),
  );
}

function useSchemas(): { readonly schemas: Schemas | undefined; readonly fault: unknown; readonly again: () => void } {
  const [schemas, setSchemas] = useState<Schemas>();
  const [fault, setFault] = useState<unknown>(null);
  const ask = (): void => {
    setFault(null);
    readSchemas().then(setSchemas, setFault);
  };
  useEffect(ask, []);
  useEffect(readLabels, []);
  useEffect(() => void readRepositories().catch(() => undefined), []);
  return { schemas, fault, again: ask };
}

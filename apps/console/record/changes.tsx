// What differs between two versions of a record, property by property.
import type { JSX } from 'preact';
import type { Json, JsonObject } from '../../../libs/domain/json.ts';
import { textOf } from '../../../libs/domain/json.ts';
import { propertyName } from '../labels.ts';
import { t } from '../words.ts';

/** The differences as a table: `path` is a JSON pointer, `was` the one that something stood at before it was moved. */
export const Changes = ({ changes }: { readonly changes: readonly JsonObject[] }): JSX.Element => (
  <table class="changes">
    <thead>
      <tr>
        <th scope="col">{t('property')}</th>
        <th scope="col">{t('before')}</th>
        <th scope="col">{t('after')}</th>
      </tr>
    </thead>
    <tbody>
      {changes.map((change) => (
        <tr key={`${textOf(change, 'op') ?? ''} ${textOf(change, 'path') ?? ''}`}>
          <th scope="row">{placeOf(textOf(change, 'path') ?? '')}</th>
          <td class="before">
            <del>{shown(change['before']) || placeOf(textOf(change, 'was') ?? '')}</del>
          </td>
          <td class="after">
            <ins>
              {shown(change['after']) || (change['op'] === 'move' ? placeOf(textOf(change, 'path') ?? '') : '')}
            </ins>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** A JSON pointer in words; places in lists count from 1. */
const placeOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((step) =>
      /^\d+$/.test(step) ? String(Number(step) + 1) : propertyName(step.replaceAll('~1', '/').replaceAll('~0', '~')),
    )
    .join(' › ');

const shown = (value: Json | undefined): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

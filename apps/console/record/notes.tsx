// Notes: each under its label, with its markup, its parts in their order, and lists as lists.
import type { JSX } from 'preact';
import { Fragment } from 'preact';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { objectsOf, textOf, textsOf } from '../../../libs/domain/json.ts';
import { valueName, words } from '../labels.ts';
import { Marked } from '../markup.tsx';
import { t } from '../words.ts';
import { Parts } from './properties.tsx';

/** The notes of a record; nothing where it has none. */
export function Notes({ notes }: { readonly notes: readonly JsonObject[] }): JSX.Element | null {
  if (notes.length === 0) return null;
  return (
    <section class="notes" aria-label={t('notes')}>
      {notes.map((note, index) => (
        <section key={textOf(note, 'persistent_id') ?? index}>
          <h2>
            <bdi>{headOf(note)}</bdi> {note['publish'] === false && <span class="badge">{t('unpublished')}</span>}
          </h2>
          <Content note={note} />
        </section>
      ))}
    </section>
  );
}

function headOf(note: JsonObject): string {
  const label = textOf(note, 'label');
  if (label !== undefined && label !== '') return label;
  const type = textOf(note, 'type');
  return type === undefined
    ? words((textOf(note, 'jsonmodel_type') ?? '').replace(/^note_/, ''))
    : valueName('type', type);
}

/** What a note or a part of one says: texts, lists, and parts within it. */
function Content({ note }: { readonly note: JsonObject }): JSX.Element {
  const texts = textOf(note, 'content') === undefined ? textsOf(note, 'content') : [textOf(note, 'content') ?? ''];
  return (
    <>
      {texts
        .flatMap((text) => text.split(/\n{2,}/))
        .map((text, index) => (
          <div key={index} class="text">
            <Marked text={text} />
          </div>
        ))}
      <Items note={note} />
      <Parts value={note} names={['rights_restriction', 'xlink']} />
      {objectsOf(note, 'subnotes').map((part, index) => (
        <div key={index}>
          {(textOf(part, 'title') !== undefined || isHeldBack(note, part)) && (
            <h3>
              <Marked text={textOf(part, 'title') ?? ''} inline />{' '}
              {isHeldBack(note, part) && <span class="badge">{t('unpublished')}</span>}
            </h3>
          )}
          <Content note={part} />
        </div>
      ))}
    </>
  );
}

/** Whether a part is not for the public while its note is. */
const isHeldBack = (note: JsonObject, part: JsonObject): boolean =>
  note['publish'] === true && part['publish'] === false;

/** Items of lists: texts, labels with values, events with their dates, references, or items with items. */
function Items({ note }: { readonly note: JsonObject }): JSX.Element | null {
  const texts = textsOf(note, 'items');
  const items = [...objectsOf(note, 'items'), ...objectsOf(note, 'levels')];
  if (texts.length + items.length === 0) return null;
  return (
    <ul>
      {texts.map((text, index) => (
        <li key={index}>
          <Marked text={text} inline />
        </li>
      ))}
      {items.map((item, index) => {
        const label = textOf(item, 'label') ?? textOf(item, 'event_date');
        const values = ['place', 'value', 'reference_text', 'reference'].map((name) => textOf(item, name));
        return (
          <li key={index}>
            {label !== undefined && (
              <strong>
                <Marked text={label} inline />:{' '}
              </strong>
            )}
            {[...values, ...textsOf(item, 'events')]
              .filter((value) => value !== undefined)
              .map((value, place) => (
                <Fragment key={place}>
                  {place > 0 && '; '}
                  <Marked text={value} inline />
                </Fragment>
              ))}
            <Items note={item} />
          </li>
        );
      })}
    </ul>
  );
}

// A row of a tree.
import type { JSX } from 'preact';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { objectsOf, textOf } from '../../../libs/domain/json.ts';
import { recordAddress } from '../address.ts';
import { valueName } from '../labels.ts';
import { Title } from '../markup.tsx';
import { number, t } from '../words.ts';
import type { Zone } from './changes.ts';
import type { Row } from './waypoints.ts';
import { childrenOf, uriOf } from './waypoints.ts';

type Shown = {
  readonly row: Row;
  readonly index: number;
  /** Distance from the top of the tree, in pixels. */
  readonly top: number;
  readonly isActive: boolean;
  readonly isPicked: boolean;
  /** Whether it waits to be pasted elsewhere. */
  readonly isCut: boolean;
  /** Where what is dragged would come to, if it were dropped on this row. */
  readonly drop: Zone | null;
  readonly mayChange: boolean;
  readonly onPick: (event: MouseEvent) => void;
  readonly onMark: () => void;
  readonly onToggle: () => void;
  readonly onDrag: (event: DragEvent) => void;
};

/** The row at `index` of the whole tree. */
export function TreeRow(shown: Shown): JSX.Element {
  const { row, index, top, isActive, isPicked, mayChange, onPick, onDrag } = shown;
  const { entry, parent, position } = row;
  const children = childrenOf(entry);
  const isOpen = parent.open.has(position);
  const level = textOf(entry, 'level');
  return (
    <div
      id={`row-${index}`}
      class={classesOf(shown)}
      role="treeitem"
      aria-level={parent.level}
      aria-setsize={parent.count}
      aria-posinset={position + 1}
      aria-selected={mayChange ? isPicked : isActive}
      {...(children > 0 ? { 'aria-expanded': isOpen } : {})}
      style={{ top: `${top}px`, paddingInlineStart: `${Math.min(parent.level - 1, 8) * 1.25 + 0.25}rem` }}
      onClick={onPick}
      {...(mayChange && entry !== undefined
        ? {
            draggable: true,
            onDragStart: onDrag,
            onDragOver: onDrag,
            onDragLeave: onDrag,
            onDrop: onDrag,
            onDragEnd: onDrag,
          }
        : {})}
    >
      {mayChange && <Mark isPicked={isPicked} onMark={shown.onMark} />}
      <span class={children > 0 ? 'twisty' : 'twisty none'} aria-hidden="true" onClick={shown.onToggle}>
        {children > 0 ? (isOpen ? '▾' : '▸') : ''}
      </span>
      {entry === undefined ? (
        <span class="soft">{t('waiting')}</span>
      ) : (
        <>
          <a href={recordAddress(uriOf(entry))} tabIndex={-1} draggable={false} title={textOf(entry, 'title')}>
            <Title text={textOf(entry, 'title')} />
          </a>
          <span class="soft">
            {datesOf(entry)} {level === undefined ? '' : valueName('level', level)}{' '}
            {children > 0 ? `(${number(children)})` : ''}
          </span>
        </>
      )}
    </div>
  );
}

/** When, where the entry says so: many files of one title differ in nothing else. */
function datesOf(entry: JsonObject): string {
  const [date] = objectsOf(entry, 'dates');
  const said =
    textOf(date, 'expression') ??
    [...new Set([textOf(date, 'begin'), textOf(date, 'end')])].filter(Boolean).join(' – ');
  return said === '' || (textOf(entry, 'title') ?? '').includes(said) ? '' : `${said} ·`;
}

/** The box that shows whether a row is picked, for pointers and fingers; keys and readers have the row itself. */
function Mark({ isPicked, onMark }: { readonly isPicked: boolean; readonly onMark: () => void }): JSX.Element {
  return (
    <span
      class={isPicked ? 'mark picked' : 'mark'}
      aria-hidden="true"
      onClick={(event) => {
        event.stopPropagation();
        onMark();
      }}
    >
      {isPicked ? '✓' : ''}
    </span>
  );
}

const classesOf = ({ isActive, isPicked, isCut, drop }: Shown): string =>
  ['row', isActive && 'active', isPicked && 'picked', isCut && 'cut', drop !== null && `drop-${drop}`]
    .filter(Boolean)
    .join(' ');

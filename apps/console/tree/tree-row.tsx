// A row of a tree.
import type { JSX } from 'preact';
import { textOf } from '../../../libs/domain/json.ts';
import { recordAddress } from '../address.ts';
import { valueName } from '../labels.ts';
import { Title } from '../markup.tsx';
import { number, t } from '../words.ts';
import type { Row } from './waypoints.ts';
import { childrenOf, uriOf } from './waypoints.ts';

type Shown = {
  readonly row: Row;
  readonly index: number;
  /** Distance from the top of the tree, in pixels. */
  readonly top: number;
  readonly isActive: boolean;
  readonly onPick: () => void;
  readonly onToggle: () => void;
};

/** The row at `index` of the whole tree. */
export function TreeRow({ row, index, top, isActive, onPick, onToggle }: Shown): JSX.Element {
  const { entry, parent, position } = row;
  const children = childrenOf(entry);
  const isOpen = parent.open.has(position);
  const level = textOf(entry, 'level');
  return (
    <div
      id={`row-${index}`}
      class={isActive ? 'row active' : 'row'}
      role="treeitem"
      aria-level={parent.level}
      aria-setsize={parent.count}
      aria-posinset={position + 1}
      aria-selected={isActive}
      {...(children > 0 ? { 'aria-expanded': isOpen } : {})}
      style={{ top: `${top}px`, paddingInlineStart: `${Math.min(parent.level - 1, 8) * 1.25 + 0.25}rem` }}
      onClick={onPick}
    >
      <span class={children > 0 ? 'twisty' : 'twisty none'} aria-hidden="true" onClick={onToggle}>
        {children > 0 ? (isOpen ? '▾' : '▸') : ''}
      </span>
      {entry === undefined ? (
        <span class="soft">{t('waiting')}</span>
      ) : (
        <>
          <a href={recordAddress(uriOf(entry))} tabIndex={-1} title={textOf(entry, 'title')}>
            <Title text={textOf(entry, 'title')} />
          </a>
          <span class="soft">
            {level === undefined ? '' : valueName('level', level)} {children > 0 ? `(${number(children)})` : ''}
          </span>
        </>
      )}
    </div>
  );
}

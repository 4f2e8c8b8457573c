// A tree as the ARIA pattern has it. Only the rows that are in sight are made, and only their pieces are asked for.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { isObject, textOf } from '../../../libs/domain/json.ts';
import { go, recordAddress } from '../address.ts';
import { Fault, Instead, useAsked } from '../asking.tsx';
import { readLabels } from '../labels.ts';
import { Title } from '../markup.tsx';
import { mayEdit } from '../record/may-edit.ts';
import { useTitle } from '../title.ts';
import { t } from '../words.ts';
import type { Changes, Zone } from './changes.ts';
import { pickedAt, useChanges } from './changes.ts';
import { FindWithin } from './find-within.tsx';
import type { TreeState } from './state.ts';
import { rowHeight, useTree } from './state.ts';
import { Toolbar, addAddress } from './toolbar.tsx';
import { TreeRow } from './tree-row.tsx';
import type { Row } from './waypoints.ts';
import { above, childrenOf, indexOf, rowAt, uriOf } from './waypoints.ts';
import { b } from './words.ts';

/** The view of a tree; `rest` is the uri of its root. */
export function TreeView({ rest: uri }: { readonly rest: string }): JSX.Element {
  const { value, fault, again } = useAsked(`${uri}/tree/root`);
  useEffect(readLabels, []);
  const top = isObject(value) ? value : undefined;
  useTitle(textOf(top, 'title') ?? t('tree'));
  if (fault !== null || top === undefined) return <Instead title={t('tree')} fault={fault} again={again} />;
  const kind = textOf(top, 'jsonmodel_type') ?? '';
  return (
    <>
      <p class="kicker">{t('tree')}</p>
      <h1>
        <a href={recordAddress(uri)}>
          <Title text={textOf(top, 'title')} />
        </a>
      </h1>
      {childrenOf(top) > 0 ? (
        <Tree uri={uri} top={top} kind={kind} />
      ) : (
        <>
          <p class="empty">{t('no_children')}</p>
          {mayEdit(kind, uri) && (
            <a class="button" href={addAddress({ root: uri, kind, parent: null })}>
              {b('add_first')}
            </a>
          )}
        </>
      )}
    </>
  );
}

type Drop = { readonly index: number; readonly zone: Zone };

function Tree({
  uri,
  top,
  kind,
}: {
  readonly uri: string;
  readonly top: JsonObject;
  readonly kind: string;
}): JSX.Element {
  const tree = useTree(uri, top);
  const changes = useChanges(tree);
  const [drop, setDrop] = useState<Drop | null>(null);
  const { root, box, total, active, from, rows } = tree;
  const isMine = mayEdit(kind, uri);
  const isInSight = active >= from && active < from + rows.length;
  const onKey = (event: KeyboardEvent): void => {
    const act = keysOf(tree, isMine ? changes : null, event);
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  const onPick = (index: number, event: MouseEvent): void => {
    tree.show(index);
    if (!isMine) return;
    if (event.shiftKey) void changes.pickTo(active, index);
    else if (event.ctrlKey || event.metaKey) changes.pick(index);
  };
  const onDrag = (index: number, event: DragEvent): void => {
    if (event.type === 'dragstart') {
      const node = pickedAt(root, rowAt(root, index));
      event.dataTransfer?.setData('text/plain', node?.title ?? '');
      // Browsers break off where the row changes before they have taken their picture of it.
      setTimeout(() => {
        if (node !== null && !changes.picked.has(node.uri)) changes.pick(index, true);
        tree.show(index);
      });
    } else if (event.type === 'dragover') {
      event.preventDefault();
      setDrop({ index, zone: zoneOf(event) });
    } else if (event.type === 'drop') {
      event.preventDefault();
      const row = rowAt(root, index);
      setDrop(null);
      if (row !== undefined) void changes.moveTo(changes.meant(), row, zoneOf(event));
    } else setDrop(null);
  };
  return (
    <>
      <p class="count" role="status">
        {t('children', { count: root.count })}
      </p>
      <div class="tree-head">
        <FindWithin
          uri={uri}
          kind={kind}
          onFound={(node) => {
            box.current?.focus();
            tree.find(node).catch(tree.setFault);
          }}
        />
        <details class="keys">
          <summary>{b('help')}</summary>
          <p class="hint" id="tree-keys">
            {b('keys')} {isMine ? b('keys_more') : ''}
          </p>
        </details>
      </div>
      {tree.fault !== null && <Fault fault={tree.fault} again={tree.goOn} />}
      {isMine && <Toolbar root={uri} kind={kind} changes={changes} row={rowAt(root, active)} />}
      <div
        class="tree"
        role="tree"
        tabIndex={0}
        ref={box}
        aria-label={t('tree')}
        aria-describedby="tree-keys"
        aria-multiselectable={isMine}
        aria-busy={changes.busy !== null}
        {...(isInSight ? { 'aria-activedescendant': `row-${active}` } : {})}
        onScroll={tree.look}
        onKeyDown={onKey}
      >
        <div role="presentation" style={{ height: `${total * rowHeight}px` }}>
          {rows.map((row, n) =>
            row === undefined ? null : (
              <TreeRow
                key={`${row.parent.uri ?? ''} ${row.position}`}
                row={row}
                index={from + n}
                top={(from + n) * rowHeight}
                isActive={from + n === active}
                isPicked={changes.picked.has(uriOf(row.entry))}
                isCut={changes.cut.some((each) => each.uri === uriOf(row.entry))}
                drop={drop?.index === from + n ? drop.zone : null}
                mayChange={isMine}
                onPick={(event) => onPick(from + n, event)}
                onMark={() => changes.pick(from + n)}
                onToggle={() => tree.toggle(row)}
                onDrag={(event) => onDrag(from + n, event)}
              />
            ),
          )}
        </div>
      </div>
    </>
  );
}

/** Where in a row the pointer is: its upper quarter is before it, its lower quarter behind it. */
function zoneOf({ currentTarget, clientY }: DragEvent): Zone {
  if (!(currentTarget instanceof HTMLElement)) return 'into';
  const { top, height } = currentTarget.getBoundingClientRect();
  const part = (clientY - top) / height;
  return part < 0.25 ? 'before' : part > 0.75 ? 'after' : 'into';
}

/** What a key does; undefined: nothing. `changes` is null for who may change nothing. */
function keysOf(tree: TreeState, changes: Changes | null, event: KeyboardEvent): (() => void) | undefined {
  if (event.altKey) return undefined;
  if (event.ctrlKey || event.metaKey) return changes === null ? undefined : commandOf(changes, event);
  const { root, total, active, show } = tree;
  const row = rowAt(root, active);
  const page = Math.max(1, tree.room - 1);
  const to: { readonly [key: string]: number } = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    Home: 0,
    End: total - 1,
    PageDown: active + page,
    PageUp: active - page,
  };
  const wanted = to[event.key];
  if (wanted !== undefined) {
    const next = Math.min(total - 1, Math.max(0, wanted));
    return () => {
      if (event.shiftKey) void changes?.pickTo(active, next);
      show(next);
    };
  }
  if (changes !== null && event.key === ' ') return () => changes.pick(active);
  if (changes !== null && event.key === 'Escape') return changes.clear;
  if (row === undefined) return undefined;
  const keys: { readonly [key: string]: () => void } = {
    ArrowRight: () => openOrEnter(tree, row),
    ArrowLeft: () => closeOrLeave(tree, row),
    Enter: () => {
      if (row.entry !== undefined) go(recordAddress(uriOf(row.entry)));
    },
  };
  return keys[event.key];
}

function commandOf(changes: Changes, { key, shiftKey }: KeyboardEvent): (() => void) | undefined {
  const commands: { readonly [key: string]: () => void } = {
    x: changes.cutMeant,
    v: () => void changes.paste(shiftKey ? 'into' : 'after'),
    z: () => void changes.undo(),
  };
  return commands[key.toLowerCase()];
}

function openOrEnter({ active, show, toggle }: TreeState, row: Row): void {
  if (row.parent.open.has(row.position)) show(active + 1);
  else toggle(row);
}

function closeOrLeave({ root, show, toggle }: TreeState, row: Row): void {
  if (row.parent.open.has(row.position)) {
    toggle(row);
    return;
  }
  const up = above(root, row.parent);
  if (up !== undefined) show(indexOf(root, up.parent, up.position));
}

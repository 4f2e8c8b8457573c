// A tree as the ARIA pattern has it. Only the rows that are in sight are made, and only their pieces are asked for.
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { isObject, objectOf, objectsOf, textOf } from '../../../libs/domain/json.ts';
import { go, query, recordAddress } from '../address.ts';
import { Fault, Waiting, useAsked } from '../asking.tsx';
import { readLabels } from '../labels.ts';
import { Title } from '../markup.tsx';
import { service } from '../session.ts';
import { useTitle } from '../title.ts';
import { t } from '../words.ts';
import { TreeRow } from './tree-row.tsx';
import type { Branch, Row } from './waypoints.ts';
import { above, childrenOf, indexOf, newBranch, rowAt, rowsOf, takePiece, uriOf, waypointSize } from './waypoints.ts';

/** Of a row, in pixels; the style sheet has the same. */
const rowHeight = 34;
// Rows beyond both ends of what is in sight, so that quick scrolling shows few gaps.
const spare = 12;

/** The view of a tree; `rest` is the uri of its root. */
export function TreeView({ rest: uri }: { readonly rest: string }): JSX.Element {
  const { value, fault, again } = useAsked(`${uri}/tree/root`);
  useEffect(readLabels, []);
  const top = isObject(value) ? value : undefined;
  useTitle(textOf(top, 'title') ?? t('tree'));
  if (fault !== null) return <Fault fault={fault} again={again} />;
  if (top === undefined) return <Waiting />;
  return (
    <>
      <p class="kicker">{t('tree')}</p>
      <h1>
        <a href={recordAddress(uri)}>
          <Title text={textOf(top, 'title')} />
        </a>
      </h1>
      <p class="count" role="status">
        {t('children', { count: childrenOf(top) })}
      </p>
      {childrenOf(top) === 0 ? <p class="empty">{t('no_children')}</p> : <Tree uri={uri} top={top} />}
    </>
  );
}

function Tree({ uri, top }: { readonly uri: string; readonly top: JsonObject }): JSX.Element {
  const root = useMemo(() => firstBranch(top), [top]);
  const [, setTurn] = useState(0);
  const [active, setActive] = useState(0);
  const [sight, setSight] = useState({ first: 0, count: 20 });
  const [fault, setFault] = useState<unknown>(null);
  const box = useRef<HTMLDivElement>(null);
  const asked = useRef(new Set<string>());
  // What was closed is there again when it is opened again.
  const closed = useRef(new Map<string, Branch>());
  const changed = (): void => setTurn((turn) => turn + 1);

  const ask = async (branch: Branch, number: number): Promise<void> => {
    const key = `${branch.uri ?? ''} ${number}`;
    if (asked.current.has(key) || branch.pieces.has(number)) return;
    asked.current.add(key);
    try {
      const parent = branch.uri === null ? {} : { parent_node: branch.uri };
      takePiece(branch, number, await service.ask(`${uri}/tree/waypoint`, { query: { offset: number, ...parent } }));
      setFault(null);
    } catch (error) {
      setFault(error);
    } finally {
      asked.current.delete(key);
      changed();
    }
  };
  const look = (): void => {
    const { scrollTop, clientHeight } = box.current ?? { scrollTop: 0, clientHeight: 600 };
    setSight({ first: Math.floor(scrollTop / rowHeight), count: Math.ceil(clientHeight / rowHeight) });
  };
  const show = (index: number): void => {
    setActive(index);
    const { current } = box;
    if (current === null) return;
    const [from, to] = [index * rowHeight, (index + 1) * rowHeight];
    if (from < current.scrollTop) current.scrollTop = from;
    else if (to > current.scrollTop + current.clientHeight) current.scrollTop = to - current.clientHeight;
  };
  const toggle = ({ parent, position, entry }: Row): void => {
    const open = parent.open.get(position);
    if (open !== undefined) {
      parent.open.delete(position);
      closed.current.set(uriOf(entry), open);
    } else if (childrenOf(entry) > 0)
      parent.open.set(
        position,
        closed.current.get(uriOf(entry)) ?? newBranch(uriOf(entry), parent.level + 1, childrenOf(entry)),
      );
    changed();
  };

  const total = rowsOf(root);
  const from = Math.max(0, sight.first - spare);
  const rows = Array.from({ length: Math.min(total, sight.first + sight.count + spare) - from }, (_, n) =>
    rowAt(root, from + n),
  );
  useEffect(() => {
    look();
    addEventListener('resize', look);
    return () => removeEventListener('resize', look);
  }, []);
  useEffect(() => {
    if (fault !== null) return;
    for (const row of rows)
      if (row !== undefined && row.entry === undefined) void ask(row.parent, Math.floor(row.position / waypointSize));
  });
  useEffect(() => {
    const node = query.value.get('node');
    if (node !== null) openTo(uri, node, { root, ask }).then((index) => index >= 0 && show(index), setFault);
  }, [root]);

  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = rowAt(root, active);
    const page = Math.max(1, sight.count - 1);
    const to: { readonly [key: string]: number } = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      Home: 0,
      End: total - 1,
      PageDown: active + page,
      PageUp: active - page,
    };
    const next = to[event.key];
    if (next !== undefined) show(Math.min(total - 1, Math.max(0, next)));
    else if (row === undefined) return;
    else if (event.key === 'ArrowRight') openOrEnter(row);
    else if (event.key === 'ArrowLeft') closeOrLeave(row);
    else if (event.key === 'Enter' && row.entry !== undefined) go(recordAddress(uriOf(row.entry)));
    else return;
    event.preventDefault();
  };
  const openOrEnter = (row: Row): void => {
    if (row.parent.open.has(row.position)) show(active + 1);
    else toggle(row);
  };
  const closeOrLeave = (row: Row): void => {
    if (row.parent.open.has(row.position)) {
      toggle(row);
      return;
    }
    const up = above(root, row.parent);
    if (up !== undefined) show(indexOf(root, up.parent, up.position));
  };
  const isInSight = active >= from && active < from + rows.length;
  return (
    <>
      {fault !== null && <Fault fault={fault} again={() => setFault(null)} />}
      <p class="hint" id="tree-keys">
        {t('tree_keys')}
      </p>
      <div
        class="tree"
        role="tree"
        tabIndex={0}
        ref={box}
        aria-label={t('tree')}
        aria-describedby="tree-keys"
        {...(isInSight ? { 'aria-activedescendant': `row-${active}` } : {})}
        onScroll={look}
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
                onPick={() => setActive(from + n)}
                onToggle={() => toggle(row)}
              />
            ),
          )}
        </div>
      </div>
    </>
  );
}

/** The root with its first piece, which comes with it. */
function firstBranch(top: JsonObject): Branch {
  const root = newBranch(null, 1, childrenOf(top));
  const piece = objectOf(objectOf(top, 'precomputed_waypoints'), '')?.['0'];
  if (Array.isArray(piece)) takePiece(root, 0, piece);
  return root;
}

type Opening = { readonly root: Branch; readonly ask: (branch: Branch, number: number) => Promise<void> };

/** Opens whatever is above a node, and gives its row; -1 where it is not in the tree. */
async function openTo(uri: string, node: string, { root, ask }: Opening): Promise<number> {
  const id = node.split('/').at(-1) ?? '';
  const answer = await service.ask(`${uri}/tree/node_from_root`, { query: { node_ids: [id] } });
  const steps = isObject(answer) ? objectsOf(answer, id) : [];
  let branch = root;
  for (const [n, step] of steps.entries()) {
    const number = Number(step['offset'] ?? 0);
    // Each branch hangs on the piece before it.
    await ask(branch, number);
    const wanted = textOf(steps[n + 1], 'node') ?? node;
    const at = branch.pieces.get(number)?.findIndex((entry) => uriOf(entry) === wanted) ?? -1;
    if (at < 0) return -1;
    const position = number * waypointSize + at;
    if (n === steps.length - 1) return indexOf(root, branch, position);
    const entry = branch.pieces.get(number)?.[at];
    const next = branch.open.get(position) ?? newBranch(wanted, branch.level + 1, childrenOf(entry));
    branch.open.set(position, next);
    branch = next;
  }
  return -1;
}

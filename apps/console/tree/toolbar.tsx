// What can be done with the rows of a tree, as buttons: adding, moving, publishing.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { textOf } from '../../../libs/domain/json.ts';
import { Ask } from '../ask.tsx';
import { Progress } from '../jobs/progress.tsx';
import { withoutMarkup } from '../markup.tsx';
import type { Changes } from './changes.ts';
import { saidOfPicked } from './changes.ts';
import type { Row } from './waypoints.ts';
import { uriOf } from './waypoints.ts';
import { b } from './words.ts';

/** Where nodes below a root are sent to, by its type, which is also the property that they name it by. */
const nodesOf: { readonly [kind: string]: string } = {
  resource: 'archival_objects',
  digital_object: 'digital_object_components',
  classification: 'classification_terms',
};

type Adding = {
  readonly root: string;
  readonly kind: string;
  readonly parent: string | null;
  readonly position?: number;
  readonly level?: string | undefined;
};

/** The form of a new node. */
export function addAddress({ root, kind, parent, position, level }: Adding): string {
  const repository = /^\/repositories\/\d+/.exec(root)?.[0] ?? '';
  const query = new URLSearchParams({ from: root, [kind]: root });
  if (parent !== null) query.set('parent', parent);
  if (position !== undefined) query.set('position', String(position));
  if (level !== undefined) query.set('level', level);
  return `/console/new${repository}/${nodesOf[kind] ?? ''}?${query.toString()}`;
}

type Bar = {
  readonly root: string;
  readonly kind: string;
  readonly changes: Changes;
  /** The row somebody is on. */
  readonly row: Row | undefined;
};

type Question = { readonly uris: readonly string[]; readonly isPublic: boolean };

/** The buttons. */
export function Toolbar({ root, kind, changes, row }: Bar): JSX.Element {
  const [asked, setAsked] = useState<Question | null>(null);
  const { picked, cut, busy } = changes;
  const isBusy = busy !== null;
  const entry = row?.entry;
  const button = (text: string, onClick: () => void, isOff = false): JSX.Element => (
    <button type="button" disabled={isOff || isBusy} onClick={onClick}>
      {text}
    </button>
  );
  const ask = (isPublic: boolean): void => setAsked({ uris: changes.meant().map(({ uri }) => uri), isPublic });
  return (
    <>
      <div class="buttons tree-tools" role="group" aria-label={b('tools')}>
        {row !== undefined && entry !== undefined && (
          <>
            <a class="button" href={addAddress({ root, kind, parent: uriOf(entry) })}>
              {b('add_child')}
            </a>
            <a
              class="button"
              href={addAddress({
                root,
                kind,
                parent: row.parent.uri,
                position: row.position + 1,
                level: textOf(entry, 'level'),
              })}
            >
              {b('add_sibling')}
            </a>
          </>
        )}
        {button(b('cut'), changes.cutMeant, entry === undefined)}
        {cut.length > 0 && (
          <>
            {button(b('paste_after'), () => void changes.paste('after'))}
            {button(b('paste_into'), () => void changes.paste('into'))}
          </>
        )}
        {changes.canUndo && button(b('undo'), () => void changes.undo())}
        {button(b('publish'), () => ask(true), entry === undefined)}
        {button(b('unpublish'), () => ask(false), entry === undefined)}
        {button(b('publish_all'), () => setAsked({ uris: [root], isPublic: true }))}
        {picked.size + cut.length > 0 && button(b('clear'), changes.clear)}
      </div>
      <p class="tree-status soft">
        {busy !== null ? (
          <>
            {busy.text} <Progress progress={busy.phase === null ? undefined : toProgress(busy.phase)} />
          </>
        ) : cut.length > 0 ? (
          b('was_cut', { count: cut.length })
        ) : picked.size > 0 ? (
          saidOfPicked(picked.size)
        ) : (
          b('none_picked', { title: withoutMarkup(textOf(entry, 'title') ?? '') })
        )}
      </p>
      {asked !== null && (
        <Ask
          title={b(asked.isPublic ? 'publish_title' : 'unpublish_title')}
          text={b('publish_question', { what: named(asked.uris, changes, root) })}
          yes={b(asked.isPublic ? 'publish' : 'unpublish')}
          no={b('no')}
          onYes={() => {
            setAsked(null);
            void changes.publishAll(asked.uris, asked.isPublic);
          }}
          onNo={() => setAsked(null)}
        />
      )}
    </>
  );
}

/** What a question is about: the title of one record, or how many there are. */
function named(uris: readonly string[], changes: Changes, root: string): string {
  if (uris.length > 1) return b('some', { count: uris.length });
  if (uris[0] === root) return b('publish_all');
  return withoutMarkup(changes.meant()[0]?.title ?? '');
}

const toProgress = (
  phase: NonNullable<NonNullable<Changes['busy']>['phase']>,
): { readonly [name: string]: string | number | null } => ({
  label: phase.label,
  done: phase.done,
  total: phase.total,
  seconds_left: phase.secondsLeft,
});

// The form itself: what was typed is kept as a draft until it is saved, a save that met another one shows both, and leaving is asked about.
import { useComputed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ServiceError } from '../../../libs/client/errors.ts';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { askBeforeLeaving, go, query, recordAddress } from '../address.ts';
import { Ask } from '../ask.tsx';
import { Fault } from '../asking.tsx';
import { typeName } from '../labels.ts';
import { Title } from '../markup.tsx';
import { forgetRepositories } from '../repositories.ts';
import { said } from '../saying.ts';
import { time } from '../words.ts';
import { Conflict } from './conflict.tsx';
import { dropDraft, keepDraft, placeOfDraft, readDraft } from './drafts.ts';
import { FaultList, faultsIn } from './faults.tsx';
import { Fields } from './fields.tsx';
import type { Faults, Form } from './form.tsx';
import { InForm } from './form.tsx';
import { renewLists } from './lists.ts';
import type { Schemas } from './schema.ts';
import { fieldsOfRecord } from './schema.ts';
import type { Open, Saved } from './sending.ts';
import { sendChanges, sendNew } from './sending.ts';
import { changedBetween, unchosenIn, unstorableIn } from './values.ts';
import { e } from './words.ts';

type Editing = {
  readonly schemas: Schemas;
  readonly kind: string;
  /** Where the record is, or a new one is sent to. */
  readonly address: string;
  /** What its draft is kept by. */
  readonly draftAt: string;
  /** As it is stored; null: it is new. */
  readonly record: JsonObject | null;
  /** What the form shows where there is no draft. */
  readonly beginning: JsonObject;
  /** Its title; null: it is new. */
  readonly heading: string | null;
};

const restMs = 300;

/** The form with its buttons. */
export function Editor({ schemas, kind, address, draftAt, record, beginning, heading }: Editing): JSX.Element {
  const fields = useMemo(() => fieldsOfRecord(schemas, kind), [schemas, kind]);
  // Values may have been added or retired since the last form.
  useMemo(renewLists, []);
  const names = fields.map(({ name }) => name);
  const place = useMemo(() => placeOfDraft(draftAt), [draftAt]);
  const draft = useMemo(() => readDraft(place), [place]);
  // The record that the form began with; a save compares with it.
  const base = useSignal<JsonObject>(draft?.base ?? beginning);
  const value = useSignal<JsonObject>(draft?.value ?? beginning);
  const faults = useSignal<Faults>({});
  const refused = useSignal(0);
  const isKept = useSignal(true);
  const isChanged = useComputed(() => changedBetween(names, base.value, value.value).length > 0);
  const [fault, setFault] = useState<unknown>(null);
  const [isSaving, setSaving] = useState(false);
  // Whether what is in the form was typed while a save was on its way.
  const [isAhead, setAhead] = useState(false);
  const [theirs, setTheirs] = useState<JsonObject | null>(null);
  const [asked, setAsked] = useState<{ readonly leave: () => void; readonly isDiscard: boolean } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const isLeft = useRef(false);
  const open = useRef<Open>({ unanswered: draft?.unanswered ?? null, change: null, keep: () => keep() });

  const keep = (): void => {
    clearTimeout(timer.current ?? undefined);
    timer.current = null;
    if (isChanged.peek()) isKept.value = keepDraft(place, base.peek(), value.peek(), open.current.unanswered);
    else dropDraft(place);
  };
  const form = useMemo<Form>(
    () => ({
      schemas,
      repository: /^\/repositories\/\d+/.exec(address)?.[0] ?? null,
      value,
      faults,
      refused,
      onChange: () => {
        clearTimeout(timer.current ?? undefined);
        timer.current = setTimeout(keep, restMs);
      },
    }),
    [schemas, address],
  );
  // Also what is kept already: the same form in another tab has the same place, and forgets what is there when it is saved.
  const keepAtLast = (): void => {
    if (timer.current !== null || isChanged.peek()) keep();
  };
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent): void => {
      keepAtLast();
      if (isChanged.peek()) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    askBeforeLeaving((goOn) => {
      keepAtLast();
      if (isChanged.peek()) setAsked({ leave: goOn, isDiscard: false });
      return !isChanged.peek();
    });
    return () => {
      removeEventListener('beforeunload', warn);
      askBeforeLeaving(null);
      keepAtLast();
      isLeft.current = true;
    };
  }, []);

  const leaveBy = (goOn: () => void): void => {
    // Whoever has left while the save was on its way stays where they are.
    if (isLeft.current) return;
    askBeforeLeaving(null);
    goOn();
  };
  const leave = (to: string): void => leaveBy(() => go(to, true));
  const forget = (): void => {
    clearTimeout(timer.current ?? undefined);
    timer.current = null;
    dropDraft(place);
    base.value = value.peek();
  };
  /** After a save beside which something was typed: that stays in the form, over the record as it was saved. A new record has a form of its own by then. */
  const goOnTyping = (saved: Saved): void => {
    const stored = { ...saved.sent, lock_version: saved.lockVersion };
    if (record === null) {
      const typed = value.peek();
      forget();
      keepDraft(placeOfDraft(saved.uri), stored, typed);
      leave(`/console/edit${saved.uri}${cameFrom('') === undefined ? '' : location.search}`);
      return;
    }
    base.value = stored;
    setAhead(true);
    keep();
  };
  const refuse = async (error: unknown): Promise<void> => {
    const found = error instanceof ServiceError ? faultsIn(error) : null;
    if (found !== null) {
      faults.value = found;
      refused.value += 1;
      return;
    }
    throw error;
  };
  const save = async (): Promise<void> => {
    if (isSaving) return;
    const found = [
      ...unchosenIn(value.peek()).map((path) => [path, [e('choose_one')]] as const),
      ...unstorableIn(value.peek()).map((path) => [path, [e('no_such_character')]] as const),
    ];
    if (found.length > 0) {
      faults.value = Object.fromEntries(found);
      refused.value += 1;
      return;
    }
    setSaving(true);
    setFault(null);
    faults.value = {};
    setAhead(false);
    keep();
    const typed = value.peek();
    try {
      const saved = await (
        record === null
          ? sendNew(address, typed, open.current)
          : sendChanges(address, base.peek(), names, typed, open.current)
      ).catch(async (error: unknown) => {
        await refuse(error);
        return null;
      });
      if (saved !== null && 'theirs' in saved) setTheirs(saved.theirs);
      else if (saved !== null) {
        // Its name is in every choice of repositories.
        if (kind === 'repository') forgetRepositories();
        if (changedBetween(names, saved.sent, value.peek()).length > 0) {
          said.value = e('typed_since');
          goOnTyping(saved);
        } else {
          said.value = e('saved');
          forget();
          leave(afterwards(saved.uri));
        }
      }
    } catch (error) {
      setFault(error);
    }
    setSaving(false);
  };
  const resolve = (next: JsonObject): void => {
    base.value = theirs ?? base.value;
    value.value = next;
    setTheirs(null);
    keep();
    void save();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (theirs === null) void save();
  };
  const back = record === null ? (cameFrom('') ?? '/console') : recordAddress(address);
  return (
    <InForm.Provider value={form}>
      <form class="editor" noValidate onKeyDown={onKey} onSubmit={(event) => event.preventDefault()}>
        <p class="kicker">{typeName(kind)}</p>
        <h1>{heading === null ? e('new_of', { type: typeName(kind) }) : <Title text={heading} />}</h1>
        {draft !== null && (
          <div class="notice" role="status">
            <p>
              {e('draft_found', { when: time(draft.at) })}{' '}
              {record !== null && record['lock_version'] !== draft.base['lock_version'] ? e('draft_old') : ''}
            </p>
          </div>
        )}
        {theirs === null ? (
          <>
            <FaultList />
            <p class="hint">{e('needed_hint')}</p>
            <Fields path="" fields={fields} />
          </>
        ) : (
          <Conflict base={base.peek()} theirs={theirs} mine={value.peek()} names={names} onResolved={resolve} />
        )}
        {fault !== null && <Fault fault={fault} again={() => void save()} />}
        <div class="actions">
          {theirs === null && (
            <button type="button" class="main" disabled={isSaving} onClick={() => void save()}>
              {e(isSaving ? 'saving' : 'save')}
            </button>
          )}
          <a class="button" href={back}>
            {e(record === null ? 'cancel' : 'back')}
          </a>
          {isChanged.value && (
            <button type="button" onClick={() => setAsked({ leave: () => go(back, true), isDiscard: true })}>
              {e('discard')}
            </button>
          )}
          <p class="soft">
            {e(!isChanged.value ? 'unchanged' : !isKept.value ? 'unkept' : isAhead ? 'typed_since' : 'unsaved')}
          </p>
        </div>
      </form>
      {asked !== null && (
        <Ask
          title={e(asked.isDiscard ? 'discard' : 'leave_title')}
          text={e(asked.isDiscard ? 'discard_question' : 'leave_question')}
          yes={e(asked.isDiscard ? 'discard' : 'leave')}
          no={e('stay')}
          onYes={() => {
            if (asked.isDiscard) forget();
            leaveBy(asked.leave);
          }}
          onNo={() => setAsked(null)}
        />
      )}
    </InForm.Provider>
  );
}

/** The tree that the form was opened from, with a node in it; undefined where it was not. */
function cameFrom(node: string): string | undefined {
  const root = query.value.get('from');
  if (root === null || !/^\/repositories\/\d+\/\w+\/\d+$/.test(root)) return undefined;
  return `/console/tree${root}${node === '' ? '' : `?node=${encodeURIComponent(node)}`}`;
}

/** Where somebody goes on who has saved a record. */
const afterwards = (uri: string): string => cameFrom(uri) ?? recordAddress(uri);

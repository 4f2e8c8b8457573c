// Sending what was typed: a new record once and no more, and of one that there is what was changed.
import { ServiceError } from '../../../libs/client/errors.ts';
import type { Json, JsonObject } from '../../../libs/domain/json.ts';
import { isObject, textOf } from '../../../libs/domain/json.ts';
import { isAway } from '../asking.tsx';
import { mayBeDone, newKey, underKey } from '../once.ts';
import { resolved } from '../record/resolved.ts';
import { service, user } from '../session.ts';
import type { Unanswered } from './drafts.ts';
import { bare, changedBetween, contains, patchOf } from './values.ts';

/** A record that was saved: the version that it has since, and what was sent of it. */
export type Saved = { readonly uri: string; readonly lockVersion: Json; readonly sent: JsonObject };

/** What of a form has no answer yet: a new record, which `keep` has outlast the page, or how a record that there is was to be. */
export type Open = { unanswered: Unanswered | null; change: JsonObject | null; keep(): void };

/** Sends a new record. One that has no answer yet is sent as it was, whatever was typed since: that goes with the next save. */
export async function sendNew(address: string, typed: JsonObject, open: Open): Promise<Saved> {
  const before = open.unanswered;
  const { key, value, at } = before ?? { key: newKey(), value: typed, at: Date.now() };
  open.unanswered = { key, value, at };
  open.keep();
  try {
    const answer = await service.ask(address, { method: 'POST', json: bare(value), headers: underKey(key) });
    open.unanswered = null;
    return { ...savedIn(answer, address), sent: value };
  } catch (error) {
    if (mayBeDone(error, at)) throw error;
    open.unanswered = null;
    open.keep();
    // What was refused as it was then may have been mended since.
    if (before !== null && changedBetween(Object.keys({ ...value, ...typed }), value, typed).length > 0)
      return sendNew(address, typed, open);
    throw error;
  }
}

/** What was met by a save: the record as others have it. */
export type Met = { readonly theirs: JsonObject };

/** Sends what was changed of a record, so that nothing else goes back to what it was. */
export async function sendChanges(
  address: string,
  base: JsonObject,
  names: readonly string[],
  value: JsonObject,
  open: Open,
): Promise<Saved | Met> {
  const patch: Json = { ...patchOf(names, base, value), lock_version: base['lock_version'] ?? null };
  try {
    const answer = await service.ask(address, {
      method: 'PATCH',
      body: { contentType: 'application/merge-patch+json', bytes: () => JSON.stringify(patch) },
    });
    open.change = null;
    return { ...savedIn(answer, address), uri: address, sent: value };
  } catch (error) {
    const lost = open.change;
    open.change = isAway(error) ? value : null;
    if (!(error instanceof ServiceError) || error.status !== 409) throw error;
    const now = await service.ask(address, { query: { resolve: resolved } });
    if (!isObject(now) || now['lock_version'] === base['lock_version']) throw error;
    return lost !== null && isOwnSave(base, now, names, lost)
      ? { uri: address, lockVersion: now['lock_version'] ?? null, sent: lost }
      : { theirs: now };
  }
}

/** Whether a record is what a save that nobody answered made of it: the next version, of the same user, with what was typed. */
function isOwnSave(base: JsonObject, now: JsonObject, names: readonly string[], value: JsonObject): boolean {
  const byMe = changedBetween(names, base, value);
  return (
    now['lock_version'] === Number(base['lock_version']) + 1 &&
    textOf(now, 'last_modified_by') === user.value?.username &&
    changedBetween(names, base, now).every((name) => byMe.includes(name)) &&
    byMe.every((name) => contains(now[name], value[name]))
  );
}

const savedIn = (answer: Json, address: string): Omit<Saved, 'sent'> => ({
  uri: (isObject(answer) ? textOf(answer, 'uri') : undefined) ?? address,
  lockVersion: (isObject(answer) ? answer['lock_version'] : undefined) ?? null,
});

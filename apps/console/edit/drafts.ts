// What was typed and not saved yet, kept in the browser until it is: by user, and by the address of its form.
import type { Json, JsonObject } from '../../../libs/domain/json.ts';
import { isObject, objectOf, textOf } from '../../../libs/domain/json.ts';
import { user } from '../session.ts';

/** A new record that was sent and not answered: the key that it went under, what was sent, and when (ms). */
export type Unanswered = { readonly key: string; readonly value: JsonObject; readonly at: number };

/** A draft: the record as it was when somebody began, as it is in the form, and when it was last changed (ISO). */
export type Draft = {
  readonly base: JsonObject;
  readonly value: JsonObject;
  readonly at: string;
  readonly unanswered: Unanswered | null;
};

/** Where the draft of the form at an address is kept for who is logged in. A form asks once: it may close because its user has logged out. */
export const placeOfDraft = (address: string): string => `muniment.draft ${user.value?.username ?? ''} ${address}`;

/** The draft at a place; null where there is none. */
export function readDraft(place: string): Draft | null {
  const draft = parsed(localStorage.getItem(place));
  const [base, value, at] = [objectOf(draft, 'base'), objectOf(draft, 'value'), textOf(draft, 'at')];
  if (base === undefined || value === undefined || at === undefined) return null;
  return { base, value, at, unanswered: unansweredIn(objectOf(draft, 'unanswered')) };
}

function unansweredIn(found: JsonObject | undefined): Unanswered | null {
  const [key, value, at] = [textOf(found, 'key'), objectOf(found, 'value'), found?.['at']];
  return key === undefined || value === undefined || typeof at !== 'number' ? null : { key, value, at };
}

function parsed(text: string | null): JsonObject | undefined {
  try {
    const value = JSON.parse(text ?? 'null') as Json;
    return isObject(value) ? value : undefined;
  } catch {
    // Not what this version of the console wrote.
    return undefined;
  }
}

/** Keeps a draft. False where the browser has no room for it. */
export function keepDraft(
  place: string,
  base: JsonObject,
  value: JsonObject,
  unanswered: Unanswered | null = null,
): boolean {
  try {
    const draft: Draft = { base, value, at: new Date().toISOString(), unanswered };
    localStorage.setItem(place, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** Forgets the draft at a place. */
export const dropDraft = (place: string): void => localStorage.removeItem(place);

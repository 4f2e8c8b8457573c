// How far a running job is: what it does just now, how much of it, and how long it will take.
import type { JSX } from 'preact';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { textOf } from '../../../libs/domain/json.ts';
import { momentOf, number, t } from '../words.ts';

/** The progress as jobs tell it; nothing where they do not. */
export function Progress({ progress }: { readonly progress: JsonObject | undefined }): JSX.Element | null {
  const label = textOf(progress, 'label');
  if (progress === undefined || label === undefined) return null;
  const [done, total, left] = ['done', 'total', 'seconds_left'].map((name) => progress[name]);
  const hasTotal = typeof done === 'number' && typeof total === 'number' && total > 0;
  return (
    <span class="progress">
      {hasTotal && <progress value={done} max={total} aria-label={label} />}
      <span class="soft">
        {label} {typeof done === 'number' ? (hasTotal ? `${number(done)} / ${number(total)}` : number(done)) : ''}
        {typeof left === 'number' ? ` · ${t('time_left', { time: duration(left) })}` : ''}
      </span>
    </span>
  );
}

/** A time that something takes, of seconds, as people say it. */
export const duration = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : `${number(Math.round(seconds / 60))} min`;

/** How many seconds a job took; undefined while it has not ended, or where it never began. */
export function secondsOf(job: JsonObject): number | undefined {
  const [begun, ended] = [textOf(job, 'time_started'), textOf(job, 'time_finished')];
  if (begun === undefined || ended === undefined) return undefined;
  return Math.max(0, (momentOf(ended).getTime() - momentOf(begun).getTime()) / 1000);
}

/** The same as people say it; null while it is not known. */
export function tookOf(job: JsonObject): string | null {
  const seconds = secondsOf(job);
  return seconds === undefined ? null : duration(seconds);
}

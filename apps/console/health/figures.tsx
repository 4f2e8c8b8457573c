// Figures of the last hour as small pictures, each with its value in words.
import type { JSX } from 'preact';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { number } from '../words.ts';
import type { HealthWord } from './words.ts';
import { say } from './words.ts';

const plain = (value: number): string => number(Math.round(value));
const seconds = (value: number): string => (value < 120 ? `${plain(value)} s` : `${plain(value / 60)} min`);
const shown: readonly (readonly [name: HealthWord, text: (value: number) => string])[] = [
  ['index_records', plain],
  ['index_waiting_seconds', seconds],
  ['jobs_queued', plain],
  ['jobs_waiting_seconds', seconds],
  ['requests', plain],
  ['failed', plain],
  ['event_loop_ms', (value) => `${plain(value)} ms`],
  ['processor_percent', (value) => `${plain(value)} %`],
  ['memory_mib', (value) => `${plain(value)} MiB`],
  ['connections', plain],
  ['disk_free_mib', (value) => `${number(Math.round(value / 102.4) / 10)} GiB`],
];
const [width, height] = [120, 30];

/** The pictures of samples, oldest first, the last one of now. */
export const Figures = ({ samples }: { readonly samples: readonly JsonObject[] }): JSX.Element => (
  <div class="pictures">
    {shown.map(([name, text]) => (
      <Figure key={name} name={name} text={text} values={samples.map((sample) => sample[name])} />
    ))}
  </div>
);

type About = {
  readonly name: HealthWord;
  readonly text: (value: number) => string;
  readonly values: readonly unknown[];
};

function Figure({ name, text, values }: About): JSX.Element {
  const known = values.filter((value) => typeof value === 'number');
  const last = values.at(-1);
  const now = typeof last === 'number' ? text(last) : say('unknown');
  const most = Math.max(0, ...known);
  const title = say(name);
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <span class="now">{now}</span> <span class="soft">{say('at_most', { most: text(most) })}</span>
      <Line values={values} label={say('picture', { title, now, most: text(most) })} />
    </figure>
  );
}

/** A line through values, oldest first; where one is not known it is broken. */
export function Line({ values, label }: { readonly values: readonly unknown[]; readonly label: string }): JSX.Element {
  const most = Math.max(0, ...values.filter((value) => typeof value === 'number'));
  return (
    <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <line x1="0" x2={width} y1={height - 1} y2={height - 1} />
      {runs(values).map((run) => (
        <polyline
          key={run[0]?.[0]}
          points={run.map(([at, value]) => point(at, value, values.length, most)).join(' ')}
        />
      ))}
    </svg>
  );
}

/** The stretches without a gap: what is not known is no zero. */
function runs(values: readonly unknown[]): readonly (readonly (readonly [at: number, value: number])[])[] {
  const all: [number, number][][] = [[]];
  for (const [at, value] of values.entries()) {
    if (typeof value === 'number') all.at(-1)?.push([at, value]);
    else all.push([]);
  }
  return all.filter((run) => run.length > 0);
}

function point(at: number, value: number, count: number, most: number): string {
  const x = count < 2 ? width : (at / (count - 1)) * width;
  const y = height - 1 - (most === 0 ? 0 : (value / most) * (height - 3));
  return `${x.toFixed(1)},${y.toFixed(1)}`;
}

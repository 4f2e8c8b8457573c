// The report of a comparison: a file is chosen, read here in the browser, and stays open until another is chosen or the page is left.
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { DropFiles } from '../drop.tsx';
import { user } from '../session.ts';
import { said } from '../saying.ts';
import { number, time } from '../words.ts';
import { Differences } from './differences.tsx';
import type { Report } from './report.ts';
import { NoReport, readReport } from './report.ts';
import { Summary, verdictOn } from './summary.tsx';
import { say } from './words.ts';

/** A report with the file that it came from, and who opened it: nobody else at the same browser is to see it. */
type Opened = { readonly report: Report; readonly file: File; readonly username: string | undefined };

// It outlives the view, so that whoever looks at a record comes back to where they were.
const opened = signal<Opened | null>(null);

type State =
  | { readonly is: 'idle' }
  | { readonly is: 'reading'; readonly file: File; readonly percent: number }
  | { readonly is: 'failed'; readonly file: File; readonly fault: unknown };

/** The choice of a file, and what is in it. */
export function Comparison(): JSX.Element {
  const [state, setState] = useState<State>({ is: 'idle' });
  const reading = useRef<AbortController | null>(null);
  const head = useRef<HTMLHeadingElement>(null);
  const isNew = useRef(false);
  useEffect(() => () => reading.current?.abort(), []);
  useEffect(() => {
    // Whoever has chosen a file goes on at what is in it; whoever comes back to the view begins at its top.
    if (isNew.current) head.current?.focus();
    isNew.current = false;
  }, [opened.value]);
  const open = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    reading.current?.abort();
    const stop = new AbortController();
    reading.current = stop;
    opened.value = null;
    setState({ is: 'reading', file, percent: 0 });
    said.value = say('reading', { name: file.name });
    try {
      const onRead = (percent: number): void => setState({ is: 'reading', file, percent });
      const report = await readReport(textOf(file, onRead, stop.signal));
      isNew.current = true;
      opened.value = { report, file, username: user.value?.username };
      setState({ is: 'idle' });
      said.value = verdictOn(report);
    } catch (fault) {
      if (!stop.signal.aborted) setState({ is: 'failed', file, fault });
    }
  };
  const shown = opened.value?.username === user.value?.username ? opened.value : null;
  return (
    <>
      <p>{say('report_more')}</p>
      <DropFiles says={say('drop')} accept=".ndjson,.jsonl,.json" onFiles={([file]) => void open(file)} />
      {state.is === 'reading' && (
        <p class="progress">
          <progress value={state.percent} max={100} aria-label={say('reading', { name: state.file.name })} />
          <span class="soft">
            {say('reading', { name: state.file.name })} {state.percent} %
          </span>
        </p>
      )}
      {state.is === 'failed' && (
        <div class="fault-box" role="alert">
          <p>
            <bdi>{state.file.name}</bdi>: {adviceOn(state.fault)}
          </p>
        </div>
      )}
      {shown !== null && (
        <section class="report" aria-labelledby="report-name">
          <h3 id="report-name" tabIndex={-1} ref={head}>
            <bdi>{shown.file.name}</bdi>{' '}
            <span class="soft">
              {number(Math.ceil(shown.file.size / 1024))} KB · {time(new Date(shown.file.lastModified).toISOString())}
            </span>
          </h3>
          <Summary report={shown.report} />
          {shown.report.kept.length > 0 && <Differences report={shown.report} />}
        </section>
      )}
    </>
  );
}

function adviceOn(fault: unknown): string {
  return fault instanceof NoReport ? say(`no_report_${fault.why}`) : say('unreadable', { what: String(fault) });
}

/** The text of a file, piece by piece; `onRead` hears how much of it was read, in per cent. */
async function* textOf(file: File, onRead: (percent: number) => void, signal: AbortSignal): AsyncGenerator<string> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  // What a shell of Windows writes where output goes into a file.
  const decoder = new TextDecoder(first === 0xff && second === 0xfe ? 'utf-16le' : 'utf-8');
  let [done, told] = [0, 0];
  for await (const bytes of file.stream()) {
    signal.throwIfAborted();
    yield decoder.decode(bytes, { stream: true });
    done += bytes.byteLength;
    const percent = Math.floor((done / file.size) * 100);
    if (percent > told) onRead(percent);
    told = percent;
  }
  yield decoder.decode();
}

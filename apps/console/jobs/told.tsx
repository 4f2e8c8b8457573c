// What the log of an import tells, as people read it: what has to be mended and where, and what is left out.
import type { JSX } from 'preact';
import { propertyName } from '../labels.ts';
import { number, t } from '../words.ts';
import type { ImportFault, LeftOut } from './import-log.ts';
import { j } from './words.ts';

type Faulty = {
  readonly faults: readonly ImportFault[];
  /** The last lines of the log, for jobs that tell nothing better. */
  readonly lines: readonly string[];
};

/** What was wrong with the files of a job, a line for each. */
export function Faults({ faults, lines }: Faulty): JSX.Element {
  const isThere = faults.some(({ says }) => /already in use|must be unique/i.test(says));
  return (
    <section class="fault-box" aria-labelledby="faults">
      <h2 id="faults">{t('job_faults')}</h2>
      <p>{t('job_faults_more')}</p>
      {isThere && <p>{j('there_already')}</p>}
      <ul>
        {faults.length > 0
          ? faults.map((fault, index) => (
              <li key={index}>
                <bdi>{placeOf(fault)}</bdi> {fault.says}
              </li>
            ))
          : lines.map((line, index) => <li key={index}>{line}</li>)}
      </ul>
    </section>
  );
}

/** Where a fault is: file, record or line and column, property. */
function placeOf({ file, record, line, column, property }: ImportFault): string {
  const place =
    line === null ? null : column === null ? t('at_line', { line }) : j('at', { line: number(line), column });
  const parts = [file, record, place, property === null ? null : propertyName(property)].filter(
    (part) => part !== null,
  );
  return parts.length === 0 ? '' : `${parts.join(', ')}:`;
}

/** What is left out of each file; `isOnlyChecked`: would be. */
export const NotTaken = ({
  files,
  isOnlyChecked,
}: {
  readonly files: readonly LeftOut[];
  readonly isOnlyChecked: boolean;
}): JSX.Element | null =>
  files.length === 0 ? null : (
    <section aria-labelledby="left-out">
      <h2 id="left-out">{j(isOnlyChecked ? 'would_be_left_out' : 'left_out')}</h2>
      {files.map(({ file, total, parts, more }, index) => (
        <details key={index} class="left-out" open={files.length === 1 && parts.length <= 12}>
          <summary>
            <bdi>{file}</bdi> <span class="soft">{j('parts', { count: total })}</span>
          </summary>
          <ul>
            {parts.map((part, at) => (
              <li key={at}>{part}</li>
            ))}
            {more > 0 && <li class="soft">{t('more', { count: more })}</li>}
          </ul>
        </details>
      ))}
    </section>
  );

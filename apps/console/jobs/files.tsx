// The files of a job: those that it was given, and those that it made.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Fault, useAsked } from '../asking.tsx';
import { download } from '../download.ts';
import { t } from '../words.ts';

type Shown = {
  readonly uri: string;
  /** The names of those that it was given, which come first. */
  readonly given: readonly string[];
};

/** The files, to download. */
export function Files({ uri, given }: Shown): JSX.Element | null {
  const { value, fault: unlisted, again } = useAsked(`${uri}/output_files`);
  const [fault, setFault] = useState<unknown>(null);
  const ids = Array.isArray(value) ? value.map(Number) : [];
  if (unlisted !== null) return <Fault fault={unlisted} again={again} />;
  if (ids.length === 0) return null;
  const save = (id: number): void => {
    setFault(null);
    download(`${uri}/output_files/${id}`).catch(setFault);
  };
  return (
    <section aria-labelledby="files">
      <h2 id="files">{t('files')}</h2>
      {fault !== null && <Fault fault={fault} />}
      <div class="buttons">
        {ids.map((id, index) => (
          <button key={id} type="button" onClick={() => save(id)}>
            {given[index] === undefined ? t('download', { id: String(id) }) : <bdi>{given[index]}</bdi>}
          </button>
        ))}
      </div>
    </section>
  );
}

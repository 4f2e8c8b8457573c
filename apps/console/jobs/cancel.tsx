// The button that cancels a job.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Fault } from '../asking.tsx';
import { service } from '../session.ts';
import { t } from '../words.ts';
import { mayCancel } from './may-run.ts';

type Canceling = {
  readonly uri: string;
  /** Of the job. */
  readonly type: string;
  readonly onDone: () => void;
};

/** The button, for those who may; `onDone` is called when the service has taken it. */
export function Cancel({ uri, type, onDone }: Canceling): JSX.Element | null {
  const [fault, setFault] = useState<unknown>(null);
  if (!mayCancel(type, /^\/repositories\/\d+/.exec(uri)?.[0] ?? null)) return null;
  const cancel = (): void => void service.ask(`${uri}/cancel`, { method: 'POST' }).then(onDone, setFault);
  return (
    <div class="buttons">
      <button type="button" onClick={cancel}>
        {t('cancel_job')}
      </button>
      {fault !== null && <Fault fault={fault} again={cancel} />}
    </div>
  );
}

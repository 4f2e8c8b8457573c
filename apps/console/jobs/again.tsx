// Running a job again: the same job with the same files, as a new one.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { objectOf, textOf } from '../../../libs/domain/json.ts';
import { Fault, useAsked } from '../asking.tsx';
import { wholeOf } from '../download.ts';
import { useGoingOn } from '../going-on.ts';
import { startJob } from '../import/start-job.ts';
import { service } from '../session.ts';
import { givenFiles } from './given-files.ts';
import { mayStart } from './may-run.ts';
import { j } from './words.ts';

/** The button, for those who may start jobs where this one is; jobs of no repository are begun elsewhere. */
export function RunAgain({ uri, job }: { readonly uri: string; readonly job: JsonObject }): JSX.Element | null {
  const repository = /^\/repositories\/\d+/.exec(uri)?.[0];
  const asked = objectOf(job, 'job');
  const type = textOf(asked, 'jsonmodel_type');
  const { value } = useAsked(repository === undefined ? null : `${uri}/output_files`);
  const [fault, setFault] = useState<unknown>(null);
  const [isSending, setSending] = useState(false);
  const goOn = useGoingOn();
  if (repository === undefined || asked === undefined || type === undefined || !Array.isArray(value)) return null;
  // A sheet whose changes were stored is no file of the job any more (contract trees-and-jobs 6.3).
  if (value.length < givenFiles(asked).length) return null;
  if (!mayStart(type, repository)) return null;
  const start = async (): Promise<void> => {
    setSending(true);
    setFault(null);
    try {
      const names = givenFiles(asked);
      // What was given comes first, then what was made.
      const files = await Promise.all(names.map((name, index) => fileOf(uri, Number(value[index]), name)));
      goOn(`/console/job${await startJob(repository, asked, files, textOf(job, 'job_params') ?? null)}`);
    } catch (error) {
      setFault(error);
    }
    setSending(false);
  };
  return (
    <>
      <div class="buttons">
        <button type="button" disabled={isSending} onClick={() => void start()}>
          {j('again')}
        </button>
      </div>
      {fault !== null && <Fault fault={fault} />}
    </>
  );
}

async function fileOf(uri: string, id: number, name: string): Promise<File> {
  const reply = await service.send(`${uri}/output_files/${id}`);
  return new File([await wholeOf(reply)], name);
}

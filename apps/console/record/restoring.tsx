// Bringing back what a record was: a question, and then a save of the earlier version through the checks of any save.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Ask } from '../ask.tsx';
import { Fault } from '../asking.tsx';
import { said } from '../saying.ts';
import { service } from '../session.ts';
import { speaker } from '../words.ts';

const say = speaker({
  en: {
    bring_back: 'Bring this version back',
    question:
      'The record becomes what it was then, as a new version: nothing that came after it is lost from the history. Its place in a tree stays.',
    no: 'Cancel',
    done: 'The version was brought back.',
  },
  de: {
    bring_back: 'Diese Fassung zurückholen',
    question:
      'Der Datensatz wird wieder, was er damals war, als neue Fassung: Was danach kam, bleibt in der Geschichte. Seine Stelle in einem Baum bleibt.',
    no: 'Abbrechen',
    done: 'Die Fassung wurde zurückgeholt.',
  },
});

// A state of a record: its version, and which of the states of that version.
type State = { readonly version: number; readonly state: number };

/** What is brought back, of which record. */
export type Restoring = {
  readonly uri: string;
  /** Of the record as it is shown: who saved it meanwhile is not overwritten. */
  readonly lockVersion: number;
  readonly to: State;
  readonly onDone: () => void;
};

/** The button, with its question. */
export function Restore({ uri, lockVersion, to, onDone }: Restoring): JSX.Element {
  const [isAsked, setAsked] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const restore = (): void => {
    setAsked(false);
    setFault(null);
    service
      .ask(`${uri}/history/${to.version}/restore`, {
        method: 'POST',
        query: { state: to.state, lock_version: lockVersion },
      })
      .then(() => {
        said.value = say('done');
        onDone();
      }, setFault);
  };
  return (
    <>
      <button type="button" onClick={() => setAsked(true)}>
        {say('bring_back')}
      </button>
      {fault !== null && <Fault fault={fault} />}
      {isAsked && (
        <Ask
          title={say('bring_back')}
          text={say('question')}
          yes={say('bring_back')}
          no={say('no')}
          onYes={restore}
          onNo={() => setAsked(false)}
        />
      )}
    </>
  );
}

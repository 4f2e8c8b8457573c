// The form that lets this service read another one: its address, and who reads there.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { isObject, textsOf } from '../../../libs/domain/json.ts';
import { Fault, Waiting, useAsked } from '../asking.tsx';
import { said } from '../saying.ts';
import { service } from '../session.ts';
import { say } from './words.ts';

/** The form; where no source may be read, who can change that. `onBegun` is called when the service has taken it. */
export function Start({ onBegun }: { readonly onBegun: () => void }): JSX.Element {
  const { value, fault, again } = useAsked('/system/migrations');
  if (fault !== null) return <Fault fault={fault} again={again} />;
  if (value === undefined) return <Waiting />;
  const sources = isObject(value) ? textsOf(value, 'sources') : [];
  return (
    <>
      <p>{say('start_more')}</p>
      {sources.length === 0 ? <p class="empty">{say('no_sources')}</p> : <Asking sources={sources} onBegun={onBegun} />}
    </>
  );
}

function Asking(props: { readonly sources: readonly string[]; readonly onBegun: () => void }): JSX.Element {
  const [source, setSource] = useState(props.sources[0] ?? '');
  const [username, setUsername] = useState('admin');
  const [password, setPassword] = useState('');
  const [isIntoFilled, setIntoFilled] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const [isSending, setSending] = useState(false);
  const send = async (): Promise<void> => {
    setSending(true);
    setFault(null);
    try {
      const json = { source, username, password, into_filled: isIntoFilled };
      await service.ask('/system/migrations', { method: 'POST', json });
      setPassword('');
      said.value = say('begun');
      props.onBegun();
    } catch (error) {
      setFault(error);
    }
    setSending(false);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <div class="grid">
        <div class="field wide">
          <label for="source-address">{say('address')}</label>
          <input
            id="source-address"
            type="url"
            required
            list="sources"
            value={source}
            onInput={(event) => setSource(event.currentTarget.value)}
          />
          <datalist id="sources">
            {props.sources.map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
        </div>
        <div class="field">
          <label for="source-user">{say('their_user')}</label>
          {/* Not the name and password of this service, which the browser knows. */}
          <input
            id="source-user"
            required
            autocomplete="off"
            autocapitalize="none"
            value={username}
            onInput={(event) => setUsername(event.currentTarget.value)}
          />
        </div>
        <div class="field">
          <label for="source-password">{say('their_password')}</label>
          <input
            id="source-password"
            type="password"
            required
            autocomplete="new-password"
            value={password}
            onInput={(event) => setPassword(event.currentTarget.value)}
          />
        </div>
        <div class="field flag wide">
          <label for="into-filled">{say('into_filled')}</label>
          <input
            id="into-filled"
            type="checkbox"
            checked={isIntoFilled}
            onChange={(event) => setIntoFilled(event.currentTarget.checked)}
          />
        </div>
      </div>
      {fault !== null && <Fault fault={fault} again={() => void send()} />}
      <div class="buttons">
        <button class="main" disabled={isSending}>
          {say('begin')}
        </button>
      </div>
    </form>
  );
}

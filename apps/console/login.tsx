// Logging in: the page that is there before, and the window above a view whose session has ended.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ServiceError } from '../../libs/client/errors.ts';
import { Fault } from './asking.tsx';
import { useWindow } from './focus.ts';
import { Languages } from './languages.tsx';
import { logIn } from './session.ts';
import { useTitle } from './title.ts';
import { t } from './words.ts';

/** The page for whoever is not logged in. */
export function Login(): JSX.Element {
  useTitle(t('log_in'));
  return (
    <main class="alone">
      <h1>Muniment</h1>
      <LoginForm username="" />
      <p class="foot">
        <Languages />
      </p>
    </main>
  );
}

/** The window for whoever was logged in. What is behind it stays as it is, and goes on after the login. */
export function LoginAgain({ username }: { readonly username: string }): JSX.Element {
  const dialog = useWindow();
  return (
    // Escape would leave a page that waits for nothing. Browsers heed `cancel` twice and close the window then: it is shown again where its key was not
    // taken away first, as by the way back of a phone.
    <dialog
      ref={dialog}
      aria-labelledby="ended"
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.preventDefault();
      }}
      onCancel={(event) => event.preventDefault()}
      onClose={() => dialog.current?.showModal()}
    >
      <h2 id="ended">{t('session_ended')}</h2>
      <p>{t('session_ended_more')}</p>
      <LoginForm username={username} />
    </dialog>
  );
}

function LoginForm({ username }: { readonly username: string }): JSX.Element {
  const [name, setName] = useState(username);
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState<unknown>(null);
  const [isSending, setSending] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setSending(true);
    setFault(null);
    try {
      await logIn(name, password);
    } catch (error) {
      setFault(error);
      setPassword('');
    }
    setSending(false);
  };
  const isRefused = fault instanceof ServiceError && fault.status === 403;
  return (
    <form class="login" onSubmit={(event) => void submit(event)}>
      <label for="login-user">{t('user')}</label>
      <input
        id="login-user"
        autocomplete="username"
        autocapitalize="none"
        required
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <label for="login-password">{t('password')}</label>
      <input
        id="login-password"
        type="password"
        autocomplete="current-password"
        required
        value={password}
        onInput={(event) => setPassword(event.currentTarget.value)}
      />
      <button class="main" disabled={isSending}>
        {t('log_in')}
      </button>
      {isRefused && (
        <p class="fault" role="alert">
          {t('login_refused')}
        </p>
      )}
      {fault !== null && !isRefused && <Fault fault={fault} />}
    </form>
  );
}

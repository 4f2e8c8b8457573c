// Who is logged in. The token is kept in sessionStorage: it lasts as long as the tab, and no other tab has it.
import { button, element, found, isFocusLost } from './elements.mjs';

const place = 'muniment.session';

/** @type {{ readonly user: string, readonly token: string } | null} */
let session = null;
let header = '';

/**
 * Shows the form, or who is logged in.
 * @param {string} headerName the header that carries the token
 */
export function startSession(headerName) {
  header = headerName;
  session = remembered();
  show('');
}

/** The headers that a request carries for who is logged in; none for nobody. */
export const sessionHeaders = () => (session === null ? {} : { [header]: session.token });

/** The name of the header that carries the token. */
export const sessionHeader = () => header;

/**
 * Forgets a session that the service does not know any more.
 * @param {{ readonly [name: string]: string }} sent the headers that it was asked with: somebody may have logged in again meanwhile
 */
export function sessionGone(sent) {
  if (session === null || sent[header] !== session.token) return;
  forget('The session has ended. Log in again.');
}

/** @param {string} told */
function forget(told) {
  session = null;
  sessionStorage.removeItem(place);
  show(told);
}

/** @returns {typeof session} */
function remembered() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(place) ?? 'null');
    return typeof kept?.user === 'string' && typeof kept?.token === 'string' ? kept : null;
  } catch {
    return null;
  }
}

/** @param {string} told what went wrong, or '' */
function show(told) {
  const area = found('page-session');
  if (session !== null) {
    const name = element('strong', {}, session.user);
    area.replaceChildren(element('span', { role: 'status' }, 'Logged in as ', name), button('Log out', logOut));
    return;
  }
  const user = element('input', { id: 'page-user', autocomplete: 'username', required: true, autocapitalize: 'none' });
  const password = element('input', {
    id: 'page-password',
    type: 'password',
    autocomplete: 'current-password',
    required: true,
  });
  const send = element('button', {}, 'Log in');
  const fault = element('span', { role: 'alert', class: 'fault' }, told);
  const form = element(
    'form',
    { 'aria-label': 'Log in' },
    element('label', { for: 'page-user' }, 'User'),
    user,
    element('label', { for: 'page-password' }, 'Password'),
    password,
    send,
    fault,
  );
  const submit = async () => {
    send.disabled = true;
    fault.textContent = '';
    fault.textContent = await logIn(user.value, password.value);
    send.disabled = false;
    if (fault.textContent !== '') keepFocus(password);
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit();
  });
  area.replaceChildren(form);
}

/**
 * Logs in, and gives what is to be told: '' where all is well.
 * @param {string} user
 * @param {string} password
 */
async function logIn(user, password) {
  try {
    const reply = await fetch(`/users/${encodeURIComponent(user)}/login`, {
      method: 'POST',
      body: new URLSearchParams({ password }),
    });
    const body = await reply.json();
    if (!reply.ok) return reply.status === 403 ? 'Wrong user or password.' : told(body.error);
    session = { user, token: String(body.session) };
    sessionStorage.setItem(place, JSON.stringify(session));
    show('');
    keepFocus(found('page-session').querySelector('button'));
    return '';
  } catch {
    return 'The service does not answer.';
  }
}

/**
 * Gives the focus to an element where what had it was taken away or shut off. Those who go by keys would begin anew at the top of the page.
 * @param {HTMLElement | null} next
 */
function keepFocus(next) {
  if (isFocusLost()) next?.focus();
}

/** @param {unknown} error */
const told = (error) => (typeof error === 'string' ? error : JSON.stringify(error));

async function logOut() {
  const headers = sessionHeaders();
  forget('');
  keepFocus(found('page-user'));
  // What becomes of it at the service changes nothing here: the token is forgotten either way.
  await fetch('/logout', { method: 'POST', headers }).catch(() => undefined);
}

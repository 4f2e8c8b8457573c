// A service of any state as the trial asks it: by HTTP alone, and what a state does not have yet is a status like any other.
import { ask } from '#test/support/service.ts';

/** A service with a session. */
export type Client = {
  readonly url: string;
  readonly session: string;
  /** Status and text of a GET; `session` of somebody else. */
  get(path: string, session?: string): Promise<{ readonly status: number; readonly text: string }>;
  /** Creates a record and gives its uri; fails with what the service says. */
  create(path: string, body: object): Promise<string>;
  /** A POST of JSON; fails where the status is not 200. */
  post(path: string, body?: object): Promise<Record<string, unknown>>;
  remove(uri: string): Promise<void>;
};

/** Logs a user in; the session does not expire. */
export async function logIn(url: string, user: string, password: string): Promise<string> {
  const response = await fetch(`${url}/users/${user}/login?expiring=false`, {
    method: 'POST',
    body: new URLSearchParams({ password }),
  });
  if (response.status !== 200) throw new Error(`login of ${user}: ${response.status} ${await response.text()}`);
  return String(((await response.json()) as { readonly session: unknown }).session);
}

/** Asks a service with a session. */
export function clientOf(url: string, session: string): Client {
  const post = async (path: string, body: object = {}): Promise<Record<string, unknown>> => {
    const reply = await ask({ url }, path, session, body);
    if (reply.status !== 200) throw new Error(`POST ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  return {
    url,
    session,
    post,
    get: async (path, other = session) => {
      const headers = other === '' ? {} : { 'x-service-session': other };
      const response = await fetch(url + path, { headers, redirect: 'manual' });
      return { status: response.status, text: await response.text() };
    },
    create: async (path, body) => String((await post(path, body))['uri']),
    remove: async (uri) => {
      const response = await fetch(url + uri, { method: 'DELETE', headers: { 'x-service-session': session } });
      if (response.status !== 200) throw new Error(`DELETE ${uri}: ${response.status} ${await response.text()}`);
    },
  };
}

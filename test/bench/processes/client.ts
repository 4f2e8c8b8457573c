// A client of a service under measurement, with the administrator's session.
import type { JsonObject } from '#domain/json.ts';
import { adminPassword } from './spawn.ts';

/** Asks the service at `url`. Replies other than 200 throw with their text. */
export type Client = {
  readonly session: string;
  get(path: string): Promise<string>;
  post(path: string, body: unknown): Promise<{ readonly [name: string]: unknown }>;
  /** Sends a batch and reads the reply to its end. Throws where the import reports errors; gives the map of temporary uris. */
  importBatch(
    repoId: number,
    body: AsyncIterable<Uint8Array>,
  ): Promise<{ readonly [temporary: string]: readonly [string, number] }>;
};

/** Logs in as the administrator. */
export async function connectClient(url: string): Promise<Client> {
  const ask = async (path: string, init: RequestInit): Promise<string> => {
    const reply = await fetch(`${url}${path}`, init);
    const text = await reply.text();
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${text.slice(0, 2000)}`);
    return text;
  };
  const login: { session: string } = JSON.parse(
    await ask('/users/admin/login', { method: 'POST', body: new URLSearchParams({ password: adminPassword }) }),
  );
  const headers = { 'x-service-session': login.session };
  return {
    session: login.session,
    get: (path) => ask(path, { headers }),
    post: async (path, body) =>
      JSON.parse(
        await ask(path, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      ),
    importBatch: async (repoId, body) => {
      const text = await ask(`/repositories/${repoId}/batch_imports`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: ReadableStream.from(body),
        duplex: 'half',
      });
      const last: { saved: { [temporary: string]: [string, number] }; errors?: readonly string[] } =
        JSON.parse(text).at(-1);
      if (last.errors !== undefined) throw new Error(last.errors.join('\n'));
      return last.saved;
    },
  };
}

/** The values of a list that have a text, as clients read them. */
export async function valuesOf(client: Client, list: string, text: string): Promise<readonly JsonObject[]> {
  const { enumeration_values: values }: { readonly enumeration_values: readonly JsonObject[] } = JSON.parse(
    await client.get(list),
  );
  return values.filter(({ value }) => value === text);
}

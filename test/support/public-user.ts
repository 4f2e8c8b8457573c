// The user of the public interface, whose permissions are for all repositories, in tests.
import { sql } from '#store/connection/sql.ts';
import type { TestApi } from './api.ts';

/** A session of this user, who has no password: another user's, made for it, is made over to it. */
export async function publicUserSession(api: TestApi, repoId: number): Promise<string> {
  const session = await api.userWith(['view_repository'], repoId);
  await api.database.transaction((tx) =>
    tx.run(
      sql`UPDATE session SET user_id = (SELECT id FROM record WHERE kind = 'user' AND body->>'username' = 'public_anonymous') WHERE token_hash = sha256(convert_to(${session}, 'UTF8'))`,
    ),
  );
  return session;
}

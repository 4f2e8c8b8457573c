// Hashes that users brought from another service: whose are taken, what fits them, and that one is good for one login.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CountRow } from '#store/connection/columns.ts';
import { Database } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { findDearestHash, fitsSourceHash, takeSourcePasswords, useSourceHash } from '#store/access/source-passwords.ts';
import { findLogin } from '#store/access/users.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { createDatabase } from '#test/support/database.ts';

// Of crypt_blowfish and of PHP.
const vectors = [
  ['U*U', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
  ['secret', '$2y$10$TKh8H1.PfQx37YgCzwiKb.KjNyWgaHb9cbcoQgdIVFlYg7B77UdFm'],
] as const;

let own: TestDatabase;
let database: Database;
beforeAll(async () => {
  own = await createDatabase();
  database = new Database({ url: own.url, poolSize: 3 });
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await own.drop();
});

describe('a hash of bcrypt', () => {
  it.each(vectors)('fits %s alone', async (password, hash) => {
    expect(await fitsSourceHash(password, hash)).toBe(true);
    expect(await fitsSourceHash(`${password}x`, hash)).toBe(false);
    expect(await fitsSourceHash('', hash)).toBe(false);
  });

  it('is none where it is something else, or would take minutes', async () => {
    const [, rest] = [vectors[0][0], vectors[0][1].slice(7)];
    for (const hash of ['', 'U*U', `$2a$31$${rest}`, `$2a$15$${rest}`, `$1$05$${rest}`, `$2a$05$${rest}x`])
      expect(await fitsSourceHash('U*U', hash)).toBe(false);
    expect(await fitsSourceHash('x'.repeat(5000), vectors[0][1])).toBe(false);
  });

  it('does not hold up the process', async () => {
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 5);
    await Promise.all([vectors[1], vectors[1], vectors[1]].map(([password, hash]) => fitsSourceHash(password, hash)));
    clearInterval(counting);
    expect(turns).toBeGreaterThan(5);
  });
});

describe('hashes that are taken', () => {
  it('are those of users without a password, each once, whatever their case', async () => {
    await database.transaction(async (tx) => {
      for (const [id, name] of [
        [901, 'ann'],
        [902, 'bob'],
      ] as const) {
        await tx.run(sql`INSERT INTO record (kind, id, label, body) VALUES ('user', ${id}, ${name}, '{}')`);
        await tx.run(
          sql`INSERT INTO unique_key (rule, scope, value, kind, id) VALUES ('user.username', '', ${name}, 'user', ${id})`,
        );
      }
      await tx.run(sql`INSERT INTO credential (user_id, password_hash) VALUES (902, 'x')`);
    });
    const [[, cheap], [, dear]] = vectors;
    expect(await findDearestHash(database.reader)).toBeNull();
    const outcome = await database.transaction((tx) =>
      takeSourcePasswords(tx, [
        { username: 'ANN', hash: dear },
        { username: 'ann', hash: cheap },
        { username: 'bob', hash: cheap },
        { username: 'nobody', hash: cheap },
        { username: 'search_indexer', hash: cheap },
        { username: "'; DROP TABLE record; --", hash: cheap },
      ]),
    );
    expect(outcome).toEqual({
      taken: 1,
      refused: [
        { username: 'ann', reason: 'the name occurs more than once' },
        { username: 'bob', reason: 'the user has a password here' },
        { username: 'nobody', reason: 'there is no such user' },
        { username: 'search_indexer', reason: 'there is no such user' },
        { username: "'; DROP TABLE record; --", reason: 'there is no such user' },
      ],
    });
    const bad = await database.transaction((tx) =>
      takeSourcePasswords(tx, [{ username: 'ann', hash: dear.replace('$10$', '$20$') }]),
    );
    expect(bad.refused[0]?.reason).toBe('the hash costs 20, and 14 is the most');
    const [ann, bob] = [await findLogin(database.reader, 'ann'), await findLogin(database.reader, 'bob')];
    expect([ann?.broughtHash, ann?.passwordHash, bob?.broughtHash]).toEqual([dear, null, null]);
    expect(await findDearestHash(database.reader)).toBe(dear);
  });

  it('are used by one of two logins', async () => {
    const [, [, dear]] = vectors;
    const used = await Promise.all([1, 2].map(() => database.transaction((tx) => useSourceHash(tx, 901, dear))));
    expect(used.toSorted()).toEqual([false, true]);
    expect(await database.reader.one(sql.type(CountRow)`SELECT count(*) AS count FROM source_credential`)).toEqual({
      count: 0,
    });
  });
});

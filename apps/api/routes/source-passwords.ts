// POST /users/password-hashes: passwords that users had in the service they came from go on to let them in (decision 0029).
import { shape } from '../openapi/shape.ts';
import { fail } from '#domain/errors.ts';
import type { Json } from '#domain/json.ts';
import { isObject, textOf } from '#domain/json.ts';
import type { SourcePassword } from '#store/access/source-passwords.ts';
import { takeSourcePasswords } from '#store/access/source-passwords.ts';
import { audit } from '../access/audit.ts';
import { jsonArrayBody } from '../request/body.ts';
import { defineRoute } from '../route.ts';
import type { Route } from '../route.ts';

const mostAtOnce = 5000;
const longestText = 255;
const example = [
  { username: 'archivist', hash: `$2a$12$${'R9h/cIPz0gi.URNNX3kh2O'}${'PST9/PgBkqquzi.Ss7KIUgO2t0jWMUW'}` },
];

const take = defineRoute({
  method: 'POST',
  path: '/users/password-hashes',
  operation: 'takePasswordHashes',
  repeatable: false,
  area: 'users',
  summary: 'Take hashes of passwords that users had elsewhere',
  doc: `For users who were loaded from another service, and have no password here: hashes of bcrypt (\`$2a$\`, \`$2b$\`, \`$2y$\`, cost 4 to 14), at most ${mostAtOnce} at once. They are kept apart, shown nowhere, and good for one login, which stores the service's own hash in their place. Users who have a password here keep it.`,
  access: { all: ['administer_system'] },
  parameters: {},
  body: jsonArrayBody({
    doc: 'User names and hashes.',
    shape: shape.list(shape.object({ username: shape.text, hash: shape.text })),
    example,
  }),
  replies: {
    200: {
      says: 'How many were taken, and the others with the reason.',
      shape: shape.object({
        taken: shape.integer,
        refused: shape.list(shape.object({ username: shape.text, reason: shape.text })),
      }),
      example: { taken: 1, refused: [{ username: 'nobody', reason: 'there is no such user' }] },
    },
  },
  handler: async (call) => {
    const given = call.body.map(entryOf);
    if (given.length > mostAtOnce) throw fail('bad_parameter', { body: [`Must have at most ${mostAtOnce} entries`] });
    const { taken, refused } = await call.services.database.transaction(async (tx) => {
      const outcome = await takeSourcePasswords(tx, given);
      await audit(tx, call, {
        event: 'password_hashes_taken',
        details: { taken: outcome.taken, refused: outcome.refused.length },
      });
      return outcome;
    });
    call.log.info({ event: 'password_hashes_taken', taken, refused: refused.length, by: call.caller.username });
    return { taken, refused: refused.map((each) => ({ ...each })) };
  },
});

/** An entry of the body; what is none is refused without showing what was sent. */
function entryOf(entry: Json, index: number): SourcePassword {
  const [username, hash] = [
    textOf(isObject(entry) ? entry : {}, 'username'),
    textOf(isObject(entry) ? entry : {}, 'hash'),
  ];
  if (username === undefined || hash === undefined || username.length > longestText || hash.length > longestText)
    throw fail('bad_parameter', { body: [`Entry ${index} has no username and hash`] });
  return { username, hash };
}

/** The routes of this file. */
export const sourcePasswordRoutes: readonly Route[] = [take];

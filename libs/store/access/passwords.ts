// Passwords: Argon2id through node:crypto, kept as text in the PHC form, so that parameters can rise without a migration.
// Hashing costs memory and a core for some 50 ms, so only a few run at once in a process.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { longestPassword } from '#domain/access/password-rules.ts';
import { Turns } from '../connection/turns.ts';

/** Cost of a hash: memory in KiB, passes, lanes. */
export type PasswordCost = { readonly memoryKib: number; readonly passes: number; readonly parallelism: number };

/** OWASP's first choice for Argon2id with 19 MiB. */
const defaultCost: PasswordCost = { memoryKib: 19_456, passes: 2, parallelism: 1 };

const tagLength = 32;

/** Makes and checks password hashes, at most `atOnce` at the same time. */
export class Passwords {
  readonly #cost: PasswordCost;
  readonly #turns: Turns;

  constructor(atOnce: number, cost: PasswordCost = defaultCost) {
    this.#turns = new Turns(Math.max(1, atOnce));
    this.#cost = cost;
  }

  /** A hash to store: `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`. */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(16);
    const tag = await this.#derive(password, salt, this.#cost);
    return `$argon2id$v=19$m=${this.#cost.memoryKib},t=${this.#cost.passes},p=${this.#cost.parallelism}$${toText(salt)}$${toText(tag)}`;
  }

  /** Whether the password fits the stored hash. Null (no such user, no password) costs as much time as a wrong password. */
  async verify(password: string, stored: string | null): Promise<boolean> {
    const parsed = stored === null ? null : parseHash(stored);
    const { salt, tag, cost } = parsed ?? { salt: Buffer.alloc(16), tag: Buffer.alloc(tagLength), cost: this.#cost };
    if (password.length > longestPassword) return false;
    const derived = await this.#derive(password, salt, cost);
    return derived.length === tag.length && timingSafeEqual(derived, tag) && parsed !== null;
  }

  async #derive(password: string, salt: Buffer, cost: PasswordCost): Promise<Buffer> {
    const endTurn = await this.#turns.take();
    try {
      return await new Promise<Buffer>((resolve, reject) => {
        const parameters = {
          message: Buffer.from(password.normalize('NFC')),
          nonce: salt,
          parallelism: cost.parallelism,
          tagLength,
          memory: cost.memoryKib,
          passes: cost.passes,
        };
        argon2('argon2id', parameters, (error, tag) => (error === null ? resolve(tag) : reject(error)));
      });
    } finally {
      endTurn();
    }
  }
}

const toText = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

const form = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]{11,88})\$([A-Za-z0-9+/]{22,88})$/;

function parseHash(text: string): { readonly salt: Buffer; readonly tag: Buffer; readonly cost: PasswordCost } | null {
  const match = form.exec(text);
  if (match === null) return null;
  const [, memory, passes, lanes, salt = '', tag = ''] = match;
  return {
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
    cost: { memoryKib: Number(memory), passes: Number(passes), parallelism: Number(lanes) },
  };
}

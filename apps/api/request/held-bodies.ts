// How much memory the bodies of all requests take together: what would be too much is refused before it is read, with a 503.
import { fail } from '#domain/errors.ts';

/** What one request holds. `release` gives all of it back and may be called more than once. */
export type Held = {
  /** Counts further bytes; throws `unavailable` where others hold too much. */
  add(bytes: number): void;
  release(): void;
};

/** What requests without a session may take of the whole: whoever has one is served while strangers send what they like. */
const shareOfStrangers = 1 / 4;

/** The bodies that a server holds. */
export class HeldBodies {
  readonly #most: number;
  #bytes = 0;
  #bytesOfStrangers = 0;

  /** `most`: bytes of all requests together. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Bytes held now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Opens the account of a request; `isStranger` says that it has no session. */
  open(isStranger: boolean): Held {
    let held = 0;
    const count = (bytes: number): void => {
      held += bytes;
      this.#bytes += bytes;
      if (isStranger) this.#bytesOfStrangers += bytes;
    };
    return {
      add: (bytes) => {
        const isTooMuch =
          this.#bytes + bytes > this.#most ||
          (isStranger && this.#bytesOfStrangers + bytes > this.#most * shareOfStrangers);
        if (isTooMuch)
          throw fail('unavailable', 'The bodies of other requests take all the memory there is for them; try again');
        count(bytes);
      },
      release: () => count(-held),
    };
  }
}

// How the stand-in says no.

/** What Typesense answers to a wrong request: status and the text of `message` (of `error` inside a multi-search). */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

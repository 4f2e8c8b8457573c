// What can go wrong between a source and its folder, as errors that tell it apart; their messages are for people.

/** A source or a folder stands in the way. `status` is that of the reply, where one was the reason. */
export class MigrationFailure extends Error {
  override readonly name: string = 'MigrationFailure';
  readonly status: number | undefined;

  constructor(message: string, about: { readonly status?: number; readonly cause?: unknown } = {}) {
    super(message, about.cause === undefined ? undefined : { cause: about.cause });
    this.status = about.status;
  }
}

/** The folder is not one for what is asked: it holds something else, or is not as far. Nothing was done. */
export class WrongFolder extends MigrationFailure {
  override readonly name = 'WrongFolder';
}

/** Nobody answers, or the connection broke: what was read stays, and a later run goes on. */
export class SourceLost extends MigrationFailure {
  override readonly name = 'SourceLost';
}

/** The source does not let this user in, or not any more. */
export class SourceDenied extends MigrationFailure {
  override readonly name = 'SourceDenied';
}

/** A request that the source does not answer: 4xx at once, 5xx after repetitions. */
export class Refused extends MigrationFailure {
  override readonly name = 'Refused';
}

// Why a command ends without success, in words for the person at the shell, with the exit code and a form for scripts.
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import { MigrationFailure, WrongFolder } from '#migrate/failures.ts';

/** Exit codes: 0 done, 1 failed, 2 wrong use of the command line, 130 stopped by Ctrl-C (as shells count signals). */
export const exitCodes = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/** An end without success. `message` is for people, `details` is what scripts get under `details`. */
export class CliFailure extends Error {
  readonly exitCode: number;
  readonly status: number | undefined;
  readonly details: Json | undefined;

  constructor(
    message: string,
    about: {
      readonly exitCode?: number;
      readonly status?: number;
      readonly details?: Json;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, about.cause === undefined ? undefined : { cause: about.cause });
    this.name = 'CliFailure';
    this.exitCode = about.exitCode ?? exitCodes.failed;
    this.status = about.status;
    this.details = about.details;
  }
}

/** The service cannot be reached, or went away in the middle: trying the next file would be in vain. */
export class Unreachable extends CliFailure {}

/** The service does not let this user in: trying the next file would be in vain. */
export class NotLoggedIn extends CliFailure {}

/** Ctrl-C; `message` tells what goes on in the server, where something does. */
export class Interrupted extends CliFailure {
  constructor(message = 'Interrupted.', details?: Json) {
    super(message, { exitCode: exitCodes.interrupted, ...(details === undefined ? {} : { details }) });
  }
}

/** Wrong use of the command line: exit code 2. */
export function usage(message: string): CliFailure {
  return new CliFailure(message, { exitCode: exitCodes.usage });
}

/** Any thrown value as a CliFailure; what nobody expected keeps its message. */
export function toCliFailure(error: unknown): CliFailure {
  if (error instanceof CliFailure) return error;
  if (error instanceof MigrationFailure) return ofMigration(error);
  return new CliFailure(ofFile(error) ?? (error instanceof Error ? error.message : String(error)), { cause: error });
}

const faultsOfFiles: { readonly [code: string]: string } = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'something in its path is no folder',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not',
  EROFS: 'nothing can be written there',
  ENOSPC: 'the disk is full',
};

/** What the system says of a file, in words and with the name that the file was to have in the end; null where it is about something else. */
function ofFile(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || !('path' in error)) return null;
  const fault = faultsOfFiles[String(error.code)];
  const name = String('dest' in error ? error.dest : error.path).replace(/\.(?:(?:[0-9a-f]{8}\.)?part|new)$/, '');
  return fault === undefined ? null : `${name} cannot be used: ${fault}.`;
}

const ofMigration = (error: MigrationFailure): CliFailure =>
  new CliFailure(error.message, {
    ...(error instanceof WrongFolder ? { exitCode: exitCodes.usage } : {}),
    ...(error.status === undefined ? {} : { status: error.status }),
    cause: error,
  });

/** The failure as the one JSON object that --json prints. */
export function toJson(failure: CliFailure): JsonObject {
  return {
    error: failure.message,
    ...(failure.status === undefined ? {} : { status: failure.status }),
    ...(failure.details === undefined ? {} : { details: failure.details }),
  };
}

/** What a refused request says: `error` of the reply as lines, one a property (contract records 1.3). */
export function refusal(status: number, body: unknown, who: string): CliFailure {
  const told = isObject(body) ? body['error'] : undefined;
  // A proxy has no words but its status, which stands in front already.
  const error = typeof told === 'string' && told.startsWith(`${status} `) ? told.slice(`${status} `.length) : told;
  if (status >= 300 && status < 400)
    return new CliFailure(
      `The service is elsewhere (${status} ${plain(error)}): --url or MUNIMENT_URL names its address.`,
      { status },
    );
  if (status === 403) return new CliFailure(`${who} may not do this (403 ${plain(error)}).`, { status });
  if (status === 413)
    return new CliFailure(
      `The service takes no upload of this size (413 ${plain(error)}); MUNIMENT_MAX_UPLOAD_BYTES sets the limit.`,
      { status },
    );
  if (status >= 500) {
    const id =
      isObject(body) && typeof body['request_id'] === 'string'
        ? `; the log of the server has more under request ${body['request_id']}`
        : '';
    return new CliFailure(`The service failed (${status} ${plain(error)})${id}.`, { status });
  }
  if (isObject(error)) {
    const lines = Object.entries(error).map(
      ([property, messages]) =>
        `  ${property}: ${Array.isArray(messages) ? messages.map(plain).join('; ') : plain(messages)}`,
    );
    return new CliFailure(`The service refused this (${status}):\n${lines.join('\n')}`, { status, details: error });
  }
  return new CliFailure(`The service refused this (${status}): ${plain(error)}`, { status });
}

function plain(value: unknown): string {
  if (value === undefined) return 'no reason given';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

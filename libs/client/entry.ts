// The package: what `import { connect } from 'muniment-client'` gives. schema.ts is made of the OpenAPI document when the package is built
// (scripts/build-client.ts), which is why this file is compiled there alone.
import type { Client } from './client.ts';
import { createClient } from './client.ts';
import type { ConnectionOptions } from './connection.ts';
import type { components, paths } from './schema.ts';

export type { ConnectionOptions, Query, Sending } from './connection.ts';
export type { Following, JobEnd, JobPhase, JobState } from './jobs.ts';
export type { Page } from './lists.ts';
export type { components, operations, paths } from './schema.ts';
export {
  ClientError,
  ConnectionLost,
  LoginRefused,
  NoCredentials,
  ServiceError,
  SessionGone,
  UnexpectedReply,
} from './errors.ts';
export { JobFailed } from './jobs.ts';

/** A client that knows every operation of the service. */
export type MunimentClient = Client<paths>;

/** A record of a kind as the service gives it: `Schemas['resource']`. */
export type Schemas = components['schemas'];

/** Makes a client; nothing is sent yet. */
export const connect = (options: ConnectionOptions): MunimentClient => createClient<paths>(options);

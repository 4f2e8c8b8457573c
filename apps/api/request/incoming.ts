// The body of a request on its way in: how large it is, which is known before it is read or once a little of it was, and its bytes.
import type { FastifyRequest } from 'fastify';
import type { Route } from '../route.ts';
import type { Beginning } from './bytes.ts';
import { hasBody, readBeginning, readBytes } from './bytes.ts';
import type { Held } from './held-bodies.ts';
import type { Limits } from './limits.ts';

/** The media type of a request in lower case, without its parameters; '' where it says none. */
export const mediaTypeOf = (request: FastifyRequest): string =>
  request.sentContentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** The media type of a form of fields. */
export const formType = 'application/x-www-form-urlencoded';

/** Whether a request is a read. Some clients send its parameters as a form (Net::HTTP's set_form_data); no other body of one means anything. */
export const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

/** One request's body. */
export class Incoming {
  readonly request: FastifyRequest;
  readonly limits: Limits;
  /** What of it is in memory. */
  readonly held: Held;
  #beginning: Beginning | undefined;

  constructor(request: FastifyRequest, limits: Limits, held: Held) {
    this.request = request;
    this.limits = limits;
    this.held = held;
  }

  /** What isLarge() has read already. */
  get head(): readonly Buffer[] {
    return this.#beginning?.chunks ?? [];
  }

  /**
   * Whether more than `limits.loopBytes` are to be read for a route at once. Streams never are. Of a body that does not say how long it
   * is, so much is read; a multipart form that does not say it counts as large.
   */
  async isLarge(route: Route): Promise<boolean> {
    const { raw } = this.request;
    if (!hasBody(raw) || route.body?.form === 'stream') return false;
    if (route.body === undefined && isRead(this.request) && mediaTypeOf(this.request) !== formType) return false;
    const { loopBytes } = this.limits;
    const said = raw.headers['content-length'];
    if (said !== undefined) return Number(said) > loopBytes;
    if (mediaTypeOf(this.request) === 'multipart/form-data') return true;
    this.#beginning = await readBeginning(raw, this, loopBytes);
    return !this.#beginning.isWhole;
  }

  /** All of it. Throws `too_large`, `malformed_body` where it is cut short or too slow, `unavailable` where other bodies take the memory. */
  async bytes(): Promise<Buffer> {
    return this.#beginning === undefined ? readBytes(this.request.raw, this) : Buffer.concat(this.#beginning.chunks);
  }
}

// The target of a request (RFC 9112 3.2) in its parts: path, query and the values that the router found in the path.
import type { FastifyRequest } from 'fastify';

/** The path of a request target, as it was sent. */
export const pathOf = (url: string): string => url.split(/[?#]/, 1)[0] ?? '';

/** The query of a request target, as it was sent and without its question mark; empty where there is none. */
export function queryOf(url: string): string {
  const mark = url.indexOf('?');
  if (mark === -1) return '';
  const hash = url.indexOf('#', mark);
  return url.slice(mark + 1, hash === -1 ? undefined : hash);
}

/** The values of the path's parameters, decoded; what a final `*` took in is `rest`. */
export function pathValues(request: FastifyRequest): { readonly [name: string]: string | undefined } {
  // Fastify types params as unknown; the router gives an object of decoded texts, the last '*' under '*'.
  const values = request.params as { readonly [name: string]: string | undefined };
  return values['*'] === undefined ? values : { ...values, rest: values['*'] };
}

// Sessions of browsers, in a cookie that no script can read. A cookie goes along with whatever another site's page makes the browser send, so
// alone it is nobody's word: a request must also have the header x-csrf-token, which only a page of this service can know and send.
import { hash, timingSafeEqual } from 'node:crypto';

/** The name of the cookie. */
const sessionCookie = 'muniment_session';

/** The header that must come with the cookie. A login, which has no token yet, sends `none` in it. */
export const csrfHeader = 'x-csrf-token';

type Headers = { readonly [name: string]: string | readonly string[] | undefined };

/** The session token in the cookie of a request; null where there is none. */
export function readSessionCookie(headers: Headers): string | null {
  const { cookie } = headers;
  if (typeof cookie !== 'string') return null;
  for (const part of cookie.split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === sessionCookie) return part.slice(at + 1).trim() || null;
  }
  return null;
}

/** What x-csrf-token must say beside a session: it follows from the session token, and nothing follows from it. */
export const csrfTokenOf = (session: string): string => hash('sha256', `csrf ${session}`, 'base64url');

/**
 * The session token of a request that comes by cookie. `none`: the request does not claim a session, or claims it without the header, which is
 * what another site's page could send. `gone`: it claims one that is not that of the cookie.
 */
export function claimedByCookie(headers: Headers): { readonly token: string } | 'none' | 'gone' {
  const given = headers[csrfHeader];
  if (typeof given !== 'string' || given === 'none') return 'none';
  const token = readSessionCookie(headers);
  return token !== null && isSame(given, csrfTokenOf(token)) ? { token } : 'gone';
}

function isSame(given: string, wanted: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(wanted)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The value of Set-Cookie: ends with the browser, goes to this site alone, and is out of reach of scripts. A null token takes it away. */
export function setSessionCookie(token: string | null, isSecure: boolean): string {
  const ends = token === null ? '; Max-Age=0' : '';
  return `${sessionCookie}=${token ?? ''}; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}${ends}`;
}

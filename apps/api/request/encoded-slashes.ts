// Addresses whose slashes were sent as %2F: clients that encode a whole path as if it were one segment (POST /users/admin%2Flogin) mean the
// path decoded. Where a route takes the address as it stands, since a slash may belong to a name, it stays as it is.
import type { Route } from '../route.ts';

const encodedSlash = /%2f/i;
const encodedSlashes = /%2f/gi;

/** What an address is taken for: itself, or its path with `%2F` decoded where only that fits a route. */
export function slashDecoder(routes: readonly Route[]): (method: string, url: string) => string {
  const patterns = routes.map((route) => ({
    methods: new Set<string>([route.method].flat()),
    pattern: patternOf(route),
  }));
  const fits = (method: string, path: string): boolean =>
    patterns.some(({ methods, pattern }) => methods.has(method) && pattern.test(path));
  return (method, url) => {
    const end = url.search(/[?#]/);
    const path = end === -1 ? url : url.slice(0, end);
    if (!encodedSlash.test(path)) return url;
    const asked = method === 'HEAD' ? 'GET' : method;
    const decoded = path.replace(encodedSlashes, '/').replace(/\/{2,}/g, '/');
    return !fits(asked, path) && fits(asked, decoded) ? `${decoded}${url.slice(path.length)}` : url;
  };
}

/** Matches the paths that a route takes; a parameter that is a number takes no slash in any form. */
function patternOf({ path, parameters }: Route): RegExp {
  const segments = path.split('/').map((segment) =>
    segment
      .split(/(:\w+|\*)/)
      .map((piece) => {
        if (piece === '*') return '.*';
        if (!piece.startsWith(':')) return piece.replace(/[.+?^$(){}|[\]\\]/g, '\\$&');
        const type = parameters[piece.slice(1)]?.type.name;
        return type === 'text' || type === 'username' ? '[^/]+' : '(?:(?!%2[fF])[^/])+';
      })
      .join(''),
  );
  return new RegExp(`^/*${segments.join('/').replace(/^\/+/, '')}/?$`);
}

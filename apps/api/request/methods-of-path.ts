// Which methods a path has, for requests with another one. Asked for so seldom that all paths are looked through, and made ready by the first.
import type { FastifyInstance } from 'fastify';

type Mounted = { readonly methods: readonly string[]; readonly pattern: () => RegExp };

/** Listens to the routes that are mounted from now on, and gives what finds the methods of a path, in the order of the alphabet. */
export function methodsByPath(app: FastifyInstance): (path: string) => readonly string[] {
  const mounted: Mounted[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    const methods = typeof method === 'string' ? [method] : method;
    // The plug-in of uploads answers every method that a browser may ask beforehand; nobody is told of that.
    mounted.push({ methods: methods.filter((each) => each !== 'OPTIONS'), pattern: made(url) });
  });
  return (path) => {
    const plain = path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
    return [
      ...new Set(mounted.filter(({ pattern }) => pattern().test(plain)).flatMap(({ methods }) => methods)),
    ].sort();
  };
}

/** The expression of a path, once it is asked for. */
function made(url: string): () => RegExp {
  let pattern: RegExp | undefined;
  return () => (pattern ??= toPattern(url));
}

/** A path as routes are mounted ('/things/:id.xml', '/files/*') as an expression. */
function toPattern(url: string): RegExp {
  const parts = url.split(/(:[a-z_]+|\*)/).map((part) => {
    if (part === '*') return '.*';
    return /^:[a-z_]/.test(part) ? '[^/]+' : part.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
  });
  return new RegExp(`^${parts.join('')}$`);
}

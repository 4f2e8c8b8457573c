// Which methods a path has, whatever its routes are called.
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { methodsByPath } from '../../../../apps/api/request/methods-of-path.ts';

it('finds methods by the forms of paths', () => {
  const app = Fastify();
  const find = methodsByPath(app);
  const handler = async (): Promise<object> => ({});
  app.route({ method: ['GET', 'POST'], url: '/things/:id', handler });
  app.route({ method: 'DELETE', url: '/things/:thing_id', handler });
  app.get('/things/:id.xml', handler);
  app.put('/files/*', handler);
  expect(find('/things/1')).toEqual(['DELETE', 'GET', 'HEAD', 'POST']);
  expect(find('//things//1/')).toEqual(['DELETE', 'GET', 'HEAD', 'POST']);
  expect(find('/files/a/b')).toEqual(['PUT']);
  expect(find('/things')).toEqual([]);
  expect(find('/things/1/2')).toEqual([]);
  // A full stop is itself.
  expect(find('/things/1.xml')).toContain('GET');
  expect(find('/thingsX1')).toEqual([]);
});

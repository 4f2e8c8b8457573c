// Problem details of failures, and who is given them.
import { expect, it } from 'vitest';
import { fail } from '#domain/errors.ts';
import { asksForProblem, toProblem } from '../../../../apps/api/reply/problem.ts';

it('are for whoever names them in Accept with a quality above 0', () => {
  const type = 'application/problem+json';
  const asked = [type, `text/html, ${type}`, `${type};q=0.1`, `${type} ; charset=utf-8; Q=1`, `x/y;q=0, ${type}`];
  const others = [
    undefined,
    '*/*',
    'application/json',
    `${type};q=0`,
    `${type};q=0.0`,
    `x${type}`,
    `${type}x`,
    `${type};q=x`,
  ];
  expect([asked.map(asksForProblem), others.map(asksForProblem)]).toEqual([
    asked.map(() => true),
    others.map(() => false),
  ]);
});

it('tell what is wrong with each property, beside the body that others get', () => {
  const failure = fail('invalid_record', { title: ['is missing', { max: 7 }], date: 'is odd', x: null });
  expect(toProblem(failure, { error: failure.error }, 'r7')).toEqual({
    type: 'urn:muniment:error:invalid_record',
    title: 'The request cannot be carried out as it is',
    status: 400,
    detail: 'title: is missing; {"max":7}. date: is odd. x: null',
    code: 'invalid_record',
    errors: [
      { path: 'title', messages: ['is missing', '{"max":7}'] },
      { path: 'date', messages: ['is odd'] },
      { path: 'x', messages: ['null'] },
    ],
    hint: failure.hint,
    documentation: '/docs/errors#invalid_record',
    request_id: 'r7',
    classic: { error: failure.error },
  });
});

it('have a title by their status, and the words of the failure', () => {
  const codes = [
    'access_denied',
    'not_found',
    'conflict',
    'session_gone',
    'too_large',
    'too_many_requests',
    'internal',
    'unavailable',
  ] as const;
  const told = codes.map((code) => {
    const { status, title, detail, errors } = toProblem(fail(code, 'Words'), { error: 'Words' }, 'r');
    return [status, title, detail, errors];
  });
  expect(told).toEqual([
    [403, 'Access denied', 'Words', undefined],
    [404, 'Not found', 'Words', undefined],
    [409, 'In conflict with the state of the record', 'Words', undefined],
    [412, 'A precondition failed', 'Words', undefined],
    [413, 'The body is too large', 'Words', undefined],
    [429, 'Too many requests', 'Words', undefined],
    [500, 'Internal error', 'Words', undefined],
    [503, 'Not available now', 'Words', undefined],
  ]);
});

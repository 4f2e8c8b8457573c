// What a refusal says to whoever may not see all of the body that it is about: it was made of what is stored, not of what they sent.
import type { Failure } from '../errors.ts';
import { fail } from '../errors.ts';
import type { Json } from '../json.ts';
import { isObject } from '../json.ts';

/** The failure of a check without the body, and of the properties `hidden` in it with no more than that something is wrong. */
export function withoutBody(failure: Failure, hidden: readonly string[] = []): Failure {
  const { invalid_object: _, warning, ...extra } = failure.extra;
  return fail(
    failure.code,
    withoutHidden(failure.error, hidden),
    warning === undefined ? extra : { ...extra, warning: withoutHidden(warning, hidden) },
    failure.cause,
  );
}

/** What is said by property, without the words about what is hidden: they may be those that are stored there. */
function withoutHidden(said: Json, hidden: readonly string[]): Json {
  if (!isObject(said)) return said;
  return Object.fromEntries(
    Object.entries(said).map(([path, words]): readonly [string, Json] => {
      const property = hidden.find((each) => path === each || path.startsWith(`${each}/`));
      return property === undefined ? [path, words ?? null] : [property, ['Is not valid']];
    }),
  );
}

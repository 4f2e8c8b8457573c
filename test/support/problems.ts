// What rules report of a body, as the 400 would show it.
import type { JsonObject } from '#domain/json.ts';
import type { Rule } from '#domain/schema/property.ts';

/** The problems that rules report of a body: path to messages. Warnings are left out. */
export function problemsOf(
  rules: readonly Rule[] | undefined,
  body: JsonObject,
): { readonly [path: string]: readonly string[] } {
  const problems: { [path: string]: string[] } = {};
  for (const rule of rules ?? []) {
    rule(
      body,
      (path, message) => (problems[path] ??= []).push(message),
      () => undefined,
    );
  }
  return problems;
}

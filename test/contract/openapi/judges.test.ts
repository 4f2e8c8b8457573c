// The OpenAPI document before judges that are not ours.
import SwaggerParser from '@apidevtools/swagger-parser';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { isLong } from '#test/support/long.ts';
import { documentOf } from '#test/support/openapi-document.ts';

// Fixed parts of paths stand before parameters in the interface that is kept, which the recommended rules call ambiguous
// (`/repositories/with_agent/{id}` beside `/repositories/{repo_id}/position`); and a form is shown as the text that is sent.
const known = new Set(['no-ambiguous-paths', 'no-invalid-media-type-examples']);

// Nearly all of one document stands in the other: in usual runs each has a judge, in long ones both.
describe.each(['R-A', 'R-B'] as const)('the document of %s', (release) => {
  const document = documentOf(release);
  it.runIf(isLong || release === 'R-B')('is valid to swagger-parser', async () => {
    // The parser writes into what it is given, and has types of its own for it.
    await expect(SwaggerParser.validate(structuredClone(document) as never)).resolves.toBeDefined();
  });
  it.runIf(isLong || release === 'R-A')('breaks no recommended rule of redocly', async () => {
    // As YAML: of an object the compiler compares all that a configuration may hold, for seconds.
    const config = await createConfig('extends: [recommended]');
    const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: '/openapi.json', config });
    const told = problems.filter(({ severity, ruleId }) => severity === 'error' || !known.has(ruleId));
    expect(told.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
    expect(problems.length).toBeLessThan(25);
  });
});

// Writes the types of a document, as openapi-typescript makes them, to standard output: node scripts/openapi-types.mjs DOCUMENT. The generator makes code
// with the programming interface of TypeScript, which version 7 does not have: it is given that of version 6, which is published beside it.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, next) =>
    next(
      specifier === 'typescript' && context.parentURL?.includes('/openapi-typescript/') === true
        ? '@typescript/typescript6'
        : specifier,
      context,
    ),
});
const { default: generate, astToString } = await import('openapi-typescript');
const { default: ts } = await import('@typescript/typescript6');
const blob = ts.factory.createTypeReferenceNode('Blob');
const nodes = await generate(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')), {
  // What has a default may be left out of a request.
  defaultNonNullable: false,
  // Files of forms are blobs in TypeScript.
  transform: (schema) => (schema.format === 'binary' ? blob : undefined),
});
process.stdout.write(astToString(nodes));

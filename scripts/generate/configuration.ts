// The page docs/configuration.md, made from the one schema of the configuration.
import { z } from 'zod';
import { ConfigSchema, secretVariables } from '../../libs/domain/config.ts';

type JsonSchema = {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
};

const group = (value: number): string => value.toLocaleString('en-US');

/** What a variable may hold, in words. */
function valuesOf(schema: JsonSchema): string {
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(', ');
  if (schema.type === 'integer' || schema.type === 'number')
    return `number, ${group(schema.minimum ?? 0)} to ${group(schema.maximum ?? 0)}`;
  return 'text';
}

function rowOf(name: string, field: z.ZodType): string {
  // toJSONSchema gives a JSON Schema object; of it only these standard keys are read.
  const schema = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' }) as JsonSchema & {
    readonly default?: unknown;
  };
  const fallback = schema.default === undefined ? '' : `\`${String(schema.default)}\``;
  return `| \`${name}\` | ${valuesOf(schema)} | ${fallback} | ${(field.description ?? '').replaceAll('|', '\\|')} |`;
}

/** The text of the page; `mark` says by what it was made. */
export function configurationPage(mark: string): string {
  const rows = Object.entries(ConfigSchema.shape).map(([name, field]) => rowOf(name, field));
  return `<!-- ${mark} -->
# Configuration

Every process reads its configuration once, at start, from environment variables. A wrong value stops the start with all
faults listed. An empty variable counts as absent.

Secrets can be read from files: ${secretVariables.map((name) => `\`${name}_FILE\``).join(', ')} name a file that holds
the value of the variable without \`_FILE\`. A file that is not there, or empty, stops the start.

| Variable | Values | Default | Meaning |
|---|---|---|---|
${rows.join('\n')}
`;
}

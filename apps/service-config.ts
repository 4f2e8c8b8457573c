// The configuration of a process: its environment, with secrets read from files where NAME_FILE names one, as containers and systemd hand
// them out.
import { readFileSync } from 'node:fs';
import type { Config } from '#domain/config.ts';
import { readConfig, secretVariables } from '#domain/config.ts';

/** Environment variables by name. */
type Variables = { readonly [name: string]: string | undefined };

/** The configuration that environment variables give. The error lists every fault, or says which file cannot be read. */
export function readServiceConfig(environment: Variables): Config {
  return readConfig({ ...environment, ...readSecretFiles(environment) });
}

function readSecretFiles(environment: Variables): Variables {
  const named = secretVariables.filter((name) => (environment[`${name}_FILE`] ?? '') !== '');
  return Object.fromEntries(named.map((name) => [name, readSecret(name, environment)]));
}

function readSecret(name: string, environment: Variables): string {
  const file = environment[`${name}_FILE`] ?? '';
  if ((environment[name] ?? '') !== '') throw faultOf(name, `is given twice, since ${name} is set too`);
  const secret = readText(name, file);
  // Not as if it were absent, as with an empty variable: who names a file means what is in it, and without its address the service would begin a database of its own.
  if (secret === '') throw faultOf(name, `is empty: ${file}`);
  return secret;
}

function readText(name: string, file: string): string {
  try {
    // Editors and `echo` end a file with a line end, which is no part of the secret.
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw faultOf(name, `cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const faultOf = (name: string, fault: string): Error =>
  new Error(`The configuration is wrong:\n  ${name}_FILE: ${fault}`);

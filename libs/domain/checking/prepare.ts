// From what a client sent to a body that can be stored: the whole of contract behaviour-records.md 1.4 to 1.6 and 3.1.
// What needs other records (uniqueness, existing targets) or a kind's own generation is left to libs/store.
import type { JsonObject } from '../json.ts';
import { objectsOf } from '../json.ts';
import type { Failure } from '../errors.ts';
import { fail } from '../errors.ts';
import type { Kind } from '../kind.ts';
import type { Schema } from '../schema/property.ts';
import { isGiven } from './content.ts';
import type { PrepareContext, Prepared } from './context.ts';
import type { Pass } from './pass.ts';
import { TooManyProblems, mostProblems, newPass, reportError } from './pass.ts';
import { walkRecord } from './walk.ts';
import { classOf, inspected, longestShown, wrongType } from './wording.ts';

export type { EnumerationList, Enumerations, Link, PrepareContext, Prepared } from './context.ts';

/**
 * Cleans, checks and completes a body of a kind. Order: empty, unknown and read-only values go at every depth; types,
 * lengths, lists and the shape of refs are checked; rules run on objects that have their required properties; defaults,
 * [] for absent lists, publish flags and generated ids come in; late rules see the result, and are reported where all
 * else passed: flags that one entry may have, documents that may not repeat, what the kind adds.
 *
 * The caller then runs `kind.generate(body, making, old)`, takes the label and the keys of `kind.unique` from its
 * result, and writes links. `lock_version`, `uri` and audit fields of the input are not part of the result.
 *
 * In the body `jsonmodel_type` is the first key of the record and of every sub-record with audit fields, and never the
 * first key elsewhere; the other keys are in the order of the schema.
 *
 * Throws `invalid_record` with all problems by path, `warning` and `invalid_object` (contract 1.3, 1.5).
 */
export function prepare(kind: Kind, input: JsonObject, context: PrepareContext): Prepared {
  return prepareBody(kind.schema, input, context);
}

/** The same for a schema that is no kind, such as a request. */
export function prepareBody(schema: Schema, input: JsonObject, context: PrepareContext): Prepared {
  const pass = newPass(context);
  const lockVersion = input['lock_version'];
  if (isGiven(lockVersion) && typeof lockVersion !== 'string' && !Number.isInteger(lockVersion))
    reportError(pass, 'lock_version', wrongType(['integer', 'string'], classOf(lockVersion)));
  const body = walkToTheEnd(schema, input, pass);
  const errors = pass.errors.size > 0 ? pass.errors : pass.lateErrors;
  if (errors.size >= mostProblems) errors.set('record', [`Only the first ${mostProblems} problems are told`]);
  if (errors.size > 0) throw invalid(schema, body, errors, pass.warnings);
  return {
    body,
    links: pass.links,
    newEnumerationValues: pass.newValues,
    warnings: { ...shownWarnings(body, pass.warnings), ...Object.fromEntries(pass.unknown) },
  };
}

/** The body that a pass makes; what was sent, where the pass found too much wrong with it to go on. */
function walkToTheEnd(schema: Schema, input: JsonObject, pass: Pass): JsonObject {
  try {
    return walkRecord(schema, input, pass);
  } catch (error) {
    if (error instanceof TooManyProblems) return input;
    throw error;
  }
}

function invalid(
  schema: Schema,
  body: JsonObject,
  errors: ReadonlyMap<string, string[]>,
  warnings: ReadonlyMap<string, string[]>,
): Failure {
  const { jsonmodel_type: type, ...rest } = body;
  const shown = `#<JSONModel(:${schema.name}) ${inspected({ jsonmodel_type: type, ...rest }, longestShown)}>`;
  return fail('invalid_record', Object.fromEntries(errors), {
    warning: Object.fromEntries(warnings),
    invalid_object: shown.slice(0, longestShown),
  });
}

const nameWarning = /^names\/(\d+)\/(.+)$/;

/** The warnings of a success: those of missing properties are not shown, those of names only for the display name (contract 1.5). */
function shownWarnings(body: JsonObject, warnings: ReadonlyMap<string, string[]>): Prepared['warnings'] {
  if (warnings.size === 0) return {};
  const shown: { [path: string]: readonly string[] } = {};
  const displayed = Math.max(
    0,
    objectsOf(body, 'names').findIndex((name) => name['is_display_name'] === true),
  );
  for (const [path, messages] of warnings) {
    if (messages.includes('Property was missing')) continue;
    const ofName = nameWarning.exec(path);
    if (ofName === null) shown[path] = messages;
    else if (Number(ofName[1]) === displayed) shown[`display_name/${ofName[2]}`] = messages;
  }
  return shown;
}

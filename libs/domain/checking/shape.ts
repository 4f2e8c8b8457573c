// Objects of a compiled schema: cleaning, checking and completing one of them in a single pass. What is compiled is made in walk.ts.
import type { Json, JsonObject } from '../json.ts';
import type { Rule } from '../schema/property.ts';
import type { Fill } from './fill.ts';
import type { Pass } from './pass.ts';
import { pathHere, reportError, reportLateError, reportWarning } from './pass.ts';
import type { Walker } from './scalars.ts';
import { tellUnknown } from './unknown.ts';
import { says } from './wording.ts';

/** One property of a compiled object. `fill` gives what an absent one is stored as. */
export type Step = {
  readonly name: string;
  readonly walk: Walker | null;
  readonly required: 'error' | 'warn' | undefined;
  readonly fill: Fill | null;
};

/** A compiled schema, or properties that belong to none (`name` null). */
export type Shape = {
  readonly name: string | null;
  readonly typeFirst: boolean;
  readonly isLink: boolean;
  readonly isNote: boolean;
  readonly steps: readonly Step[];
  /** Where a property that can be sent is in `steps`. */
  readonly places: ReadonlyMap<string, number>;
  /** Every property of the schema, those that cannot be sent too. */
  readonly names: ReadonlySet<string>;
  readonly rules: readonly Rule[];
  readonly lateRules: readonly Rule[];
};

type Values = (Json | undefined)[];

/** Cleans, checks and completes an object of a shape; problems are in `pass` afterwards. */
export function walkShape(shape: Shape, input: JsonObject, pass: Pass): JsonObject {
  const values = valuesSent(shape, input, pass);
  const isComplete = cleanValues(shape, values, pass);
  // A missing required property, also one that only warns, keeps the rules from running (contract 1.6, rules_note).
  if (isComplete && shape.rules.length > 0) runRules(shape, values, pass);
  const result = completed(shape, values, pass);
  if (shape.lateRules.length > 0) runLateRules(shape, result, pass);
  return result;
}

/** What the object has of the shape's properties, in the order of its steps. */
function valuesSent(shape: Shape, input: JsonObject, pass: Pass): Values {
  // The object's own few properties are looked up among the many of the shape, not the other way round: that is half of the time.
  const values = new Array<Json | undefined>(shape.steps.length);
  const told = pass.context.unknownProperties;
  for (const name in input) {
    const at = shape.places.get(name);
    if (at !== undefined) values[at] = input[name];
    else if (told !== undefined) tellUnknown(told, shape, name, pass);
  }
  return values;
}

/** Cleans the values in their places, and tells what is required and missing. False where anything is. */
function cleanValues(shape: Shape, values: Values, pass: Pass): boolean {
  let isComplete = true;
  for (let at = 0; at < shape.steps.length; at += 1) {
    const step = shape.steps[at];
    if (step === undefined || step.walk === null) continue;
    const value = values[at];
    let cleaned: Json | undefined;
    if (value !== undefined && value !== null && value !== '') {
      pass.path.push(step.name);
      cleaned = step.walk(value, pass);
      pass.path.pop();
    }
    values[at] = cleaned;
    if (cleaned === undefined && step.required !== undefined) {
      isComplete = false;
      if (step.required === 'error') reportError(pass, step.name, says.missing);
      else reportWarning(pass, step.name, says.missingWarning);
    }
  }
  return isComplete;
}

/** The object as it is stored: what was sent, and what absent properties are filled in with. */
function completed(shape: Shape, values: Values, pass: Pass): JsonObject {
  const result: { [property: string]: Json | undefined } = {};
  if (shape.typeFirst && shape.name !== null) result['jsonmodel_type'] = shape.name;
  for (let at = 0; at < shape.steps.length; at += 1) {
    const step = shape.steps[at];
    if (step === undefined) continue;
    const value = values[at] ?? (step.fill === null ? undefined : step.fill(pass));
    if (value !== undefined) result[step.name] = value;
  }
  if (!shape.typeFirst && shape.name !== null) result['jsonmodel_type'] = shape.name;
  return result;
}

/** Runs the rules that see the object as it was sent, without what is filled in. */
function runRules(shape: Shape, values: Values, pass: Pass): void {
  const sent: { [property: string]: Json | undefined } = shape.name === null ? {} : { jsonmodel_type: shape.name };
  shape.steps.forEach((step, at) => {
    if (values[at] !== undefined) sent[step.name] = values[at];
  });
  // What is of the wrong type is told of as that: a rule about it says nothing more.
  const ofRules = new Set<string>();
  const report = (path: string, message: string): void => {
    const whole = pathHere(pass, path);
    if (pass.errors.has(whole) && !ofRules.has(whole)) return;
    ofRules.add(whole);
    reportError(pass, path, message);
  };
  for (const rule of shape.rules) rule(sent, report, (path, message) => reportWarning(pass, path, message));
}

/** Runs the rules that see the object as it is stored. */
function runLateRules(shape: Shape, result: JsonObject, pass: Pass): void {
  for (const rule of shape.lateRules)
    rule(
      result,
      (path, message) => reportLateError(pass, path, message),
      (path, message) => reportWarning(pass, path, message),
    );
}

// Turns a schema into one function that cleans, checks and completes an object in a single pass (contract
// behaviour-records.md 1.4, 1.5). Everything that depends on the schema alone is worked out once.
import type { Json, JsonObject } from '../json.ts';
import { isObject, textOf } from '../json.ts';
import type { ListProperty, ObjectProperty, Properties, Property, Rule, Schema } from '../schema/property.ts';
import { fail } from '../errors.ts';
import { lateRulesOf } from '../rules/only-one.ts';
import type { Pass } from './pass.ts';
import { pathHere, reportError, reportLateError, reportWarning } from './pass.ts';
import { addLink, refWalker, uriOrObjectWalker, uriWalker } from './refs.ts';
import type { Walker } from './scalars.ts';
import { plainWalker, textWalker } from './scalars.ts';
import { classOf, says, wrongType } from './wording.ts';

/** One property of a compiled object. `fill` gives what an absent one is stored as. */
type Step = {
  readonly name: string;
  readonly walk: Walker | null;
  readonly required: 'error' | 'warn' | undefined;
  readonly fill: ((pass: Pass) => Json | undefined) | null;
};

type Shape = {
  readonly name: string | null;
  readonly typeFirst: boolean;
  readonly isLink: boolean;
  readonly isNote: boolean;
  readonly steps: readonly Step[];
  /** Where a property that can be sent is in `steps`. */
  readonly places: ReadonlyMap<string, number>;
  readonly rules: readonly Rule[];
  readonly lateRules: readonly Rule[];
};

/** Deeper objects are refused: only notes nest without a limit of their own. */
const deepest = 200;

// A memo of a pure function: what is compiled from a schema never differs.
const compiled = new WeakMap<Schema, Shape>();

/** Cleans, checks and completes a whole record of a schema. Problems are in `pass` afterwards; the result is the canonical body where there are none. */
export function walkRecord(schema: Schema, input: JsonObject, pass: Pass): JsonObject {
  return walkShape(shapeOf(schema), input, pass);
}

function shapeOf(schema: Schema): Shape {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const steps = stepsOf(schema.properties, schema);
  const shape: Shape = {
    name: schema.name,
    typeFirst: schema.audited === true,
    isLink: schema.properties['ref']?.type === 'uri',
    isNote: schema.name.startsWith('note_'),
    steps,
    places: placesOf(steps),
    rules: schema.rules ?? [],
    lateRules: lateRulesOf(schema),
  };
  compiled.set(schema, shape);
  return shape;
}

function stepsOf(properties: Properties, schema: Schema | null): readonly Step[] {
  return Object.entries(properties).flatMap(([name, property]): readonly Step[] => {
    const fill = fillOf(name, property, schema);
    if (property.readonly === true)
      return fill === null || property.type === 'list' ? [] : [{ name, walk: null, required: undefined, fill }];
    return [{ name, walk: walkerOf(property, name), required: property.required, fill }];
  });
}

function placesOf(steps: readonly Step[]): ReadonlyMap<string, number> {
  return new Map(steps.flatMap((step, at) => (step.walk === null ? [] : [[step.name, at] as const])));
}

function fillOf(name: string, property: Property, schema: Schema | null): Step['fill'] {
  if (name === 'publish' && schema?.publishable === true) return publishFill(schema.name);
  // Empty texts are never sent (contract 1.2), so a default of '' is the same as none.
  if (property.default !== undefined && property.default !== '') return always(property.default);
  if (property.type === 'list') return () => [];
  if (property.type === 'string' && property.generated === 'hex') return (pass) => pass.context.making.newHexId();
  // An update is a replacement: flags of the record itself that it leaves out become false (contract 3.1).
  if (property.type === 'boolean' && property.readonly !== true)
    return (pass) => (pass.context.operation === 'update' && pass.path.length === 0 ? false : undefined);
  return null;
}

const always = (value: Json) => (): Json => value;

/** The publish flag where it is absent (contract 3.1): the caller's preference, but false on updated records and on notes that are no sub-notes. */
function publishFill(name: string): (pass: Pass) => boolean {
  if (name.startsWith('note_')) return (pass) => pass.noteDepth > 1 && pass.context.making.publishDefault;
  return (pass) =>
    pass.path.length === 0 && pass.context.operation === 'update' ? false : pass.context.making.publishDefault;
}

function walkShape(shape: Shape, input: JsonObject, pass: Pass): JsonObject {
  const { steps } = shape;
  // The object's own few properties are looked up among the many of the shape, not the other way round: that is half of the time.
  const values = new Array<Json | undefined>(steps.length);
  for (const name in input) {
    const at = shape.places.get(name);
    if (at !== undefined) values[at] = input[name];
  }
  let isComplete = true;
  for (let at = 0; at < steps.length; at += 1) {
    const step = steps[at];
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
  // A missing required property, also one that only warns, keeps the rules from running (contract 1.6, rules_note).
  if (isComplete && shape.rules.length > 0) runRules(shape, values, pass);
  const result: { [property: string]: Json | undefined } = {};
  if (shape.typeFirst && shape.name !== null) result['jsonmodel_type'] = shape.name;
  for (let at = 0; at < steps.length; at += 1) {
    const step = steps[at];
    if (step === undefined) continue;
    const value = values[at] ?? (step.fill === null ? undefined : step.fill(pass));
    if (value !== undefined) result[step.name] = value;
  }
  if (!shape.typeFirst && shape.name !== null) result['jsonmodel_type'] = shape.name;
  for (const rule of shape.lateRules)
    rule(
      result,
      (path, message) => reportLateError(pass, path, message),
      (path, message) => reportWarning(pass, path, message),
    );
  return result;
}

function runRules(shape: Shape, values: readonly (Json | undefined)[], pass: Pass): void {
  const sent: { [property: string]: Json | undefined } = shape.name === null ? {} : { jsonmodel_type: shape.name };
  shape.steps.forEach((step, at) => {
    if (values[at] !== undefined) sent[step.name] = values[at];
  });
  // What is of the wrong type is told of as that: a rule about it says nothing more.
  const told = new Set(pass.errors.keys());
  const report = (path: string, message: string): void => {
    if (!told.has(pathHere(pass, path))) reportError(pass, path, message);
  };
  for (const rule of shape.rules) rule(sent, report, (path, message) => reportWarning(pass, path, message));
}

function walkerOf(property: Property, name: string): Walker {
  switch (property.type) {
    case 'string':
      return textWalker(property);
    case 'ref':
      return refWalker(property, property.properties === undefined ? null : linkPropertiesWalker(property.properties));
    case 'uri':
      return uriWalker(property, name === 'ref');
    case 'uri_or_object': {
      const of = property.of;
      if (of === undefined) throw new Error(`property ${name}: uri_or_object without a schema`);
      return uriOrObjectWalker(property, partWalker({ type: 'sub_record', of: () => [of()] }));
    }
    case 'sub_record':
      return partWalker(property);
    case 'inline':
      return inlineWalker(property.properties);
    case 'list':
      return listWalker(property, name);
    case 'either':
      return eitherWalker(property.of.map((each) => [each, walkerOf(each, name)] as const));
    default:
      return plainWalker(property);
  }
}

function listWalker(property: ListProperty, name: string): Walker {
  const walk = walkerOf(property.of, name);
  const least = property.minItems ?? 0;
  return (value, pass) => {
    if (!Array.isArray(value)) {
      reportError(pass, undefined, wrongType(['array'], classOf(value)));
      return value;
    }
    const cleaned: Json[] = [];
    for (const item of value) {
      if (item === null || item === '') continue;
      pass.path.push(cleaned.length);
      const kept = walk(item, pass);
      pass.path.pop();
      if (kept !== undefined) cleaned.push(kept);
    }
    if (cleaned.length < least) reportError(pass, undefined, says.tooFew(least));
    return cleaned;
  };
}

function partWalker(property: ObjectProperty): Walker {
  let shapes: ReadonlyMap<string, Shape> | null = null;
  return (value, pass) => {
    // Schemas may name each other in circles, so the shapes are made when the first sub-record comes.
    shapes ??= new Map(property.of().map((schema) => [schema.name, shapeOf(schema)]));
    const wanted = (): readonly string[] => property.of().map((schema) => `JSONModel(:${schema.name}) object`);
    if (!isObject(value)) {
      reportError(pass, undefined, wrongType(wanted(), classOf(value)));
      return value;
    }
    if (!hasContent(value, 0)) return undefined;
    const said = textOf(value, 'jsonmodel_type') ?? '';
    const shape =
      said !== ''
        ? shapes.get(said)
        : shapes.size === 1 && property.saysType !== true
          ? shapes.values().next().value
          : undefined;
    if (shape === undefined && said === '')
      throw fail(
        'invalid_record',
        { record: [says.ambiguous(value, wanted())] },
        { warning: null, invalid_object: 'nil' },
      );
    if (shape === undefined) {
      reportError(pass, undefined, wrongType(wanted(), `JSONModel(:${said}) object`));
      return value;
    }
    if (pass.path.length > deepest)
      throw fail(
        'invalid_record',
        { [pass.path.slice(0, 3).join('/')]: ['Nested too deeply'] },
        { warning: {}, invalid_object: 'nil' },
      );
    if (shape.isNote) pass.noteDepth += 1;
    const result = walkShape(shape, value, pass);
    if (shape.isNote) pass.noteDepth -= 1;
    if (shape.isLink) linkOf(result, pass);
    return result;
  };
}

function linkOf(object: JsonObject, pass: Pass): void {
  const uri = textOf(object, 'ref');
  if (uri !== undefined) addLink(pass, uri, object);
}

/** The shape of properties that belong to no schema of their own. */
function namelessShape(properties: Properties): Shape {
  const steps = stepsOf(properties, null);
  return {
    name: null,
    typeFirst: false,
    isLink: false,
    isNote: false,
    steps,
    places: placesOf(steps),
    rules: [],
    lateRules: [],
  };
}

function inlineWalker(properties: Properties): Walker {
  const shape = namelessShape(properties);
  const names = shape.steps.map((step) => step.name);
  return (value, pass) => {
    if (!isObject(value)) {
      reportError(pass, undefined, wrongType(['object'], classOf(value)));
      return value;
    }
    return names.some((name) => isGiven(value[name])) ? walkShape(shape, value, pass) : undefined;
  };
}

function linkPropertiesWalker(properties: Properties): (value: JsonObject, pass: Pass) => JsonObject | undefined {
  const shape = namelessShape(properties);
  const names = shape.steps.map((step) => step.name);
  return (value, pass) => {
    const isAlone = !names.some((name) => isGiven(value[name]));
    return isAlone && !isGiven(value['ref']) ? undefined : walkShape(shape, value, pass);
  };
}

function eitherWalker(choices: readonly (readonly [Property, Walker])[]): Walker {
  const ofObject = choices.find(
    ([property]) => property.type === 'sub_record' || property.type === 'inline' || property.type === 'ref',
  );
  const ofText = choices.find(([property]) => property.type === 'string' || property.type === 'uri');
  return (value, pass) => {
    const choice = isObject(value) ? ofObject : typeof value === 'string' ? ofText : undefined;
    if (choice !== undefined) return choice[1](value, pass);
    reportError(
      pass,
      undefined,
      wrongType(
        choices.map(([property]) => (property.type === 'sub_record' ? 'object' : property.type)),
        classOf(value),
      ),
    );
    return value;
  };
}

/** Whether anything is left of an object once null, '' and {} are taken out at every depth; lists always stay. */
function hasContent(object: JsonObject, depth: number): boolean {
  for (const key in object) {
    const value = object[key];
    if (value === null || value === undefined || value === '') continue;
    if (!isObject(value) || depth > deepest || hasContent(value, depth + 1)) return true;
  }
  return false;
}

function isGiven(value: Json | undefined): boolean {
  if (value === null || value === undefined || value === '') return false;
  return !isObject(value) || hasContent(value, 0);
}

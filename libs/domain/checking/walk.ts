// Turns a schema into one function that cleans, checks and completes an object in a single pass (contract
// behaviour-records.md 1.4, 1.5). Everything that depends on the schema alone is worked out once.
import type { Json, JsonObject } from '../json.ts';
import { isObject, textOf } from '../json.ts';
import type { ListProperty, ObjectProperty, Properties, Property, Schema } from '../schema/property.ts';
import { fail } from '../errors.ts';
import { lateRulesOf } from '../rules/only-one.ts';
import { deepest, hasContent, isGiven } from './content.ts';
import { fillOf } from './fill.ts';
import type { Pass } from './pass.ts';
import { reportError } from './pass.ts';
import { addLink, refWalker, uriOrObjectWalker, uriWalker } from './refs.ts';
import type { Walker } from './scalars.ts';
import { plainWalker, refuseType, textWalker } from './scalars.ts';
import type { Shape, Step } from './shape.ts';
import { walkShape } from './shape.ts';
import { classOf, says, wrongType } from './wording.ts';

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
    names: new Set(Object.keys(schema.properties)),
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
    if (!Array.isArray(value)) return refuseType(value, ['array'], pass);
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
    if (!hasContent(value)) return undefined;
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
    names: new Set(Object.keys(properties)),
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
    return refuseType(
      value,
      choices.map(([property]) => (property.type === 'sub_record' ? 'object' : property.type)),
      pass,
    );
  };
}

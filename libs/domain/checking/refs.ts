// Checks of references: ref objects, bare uris, and places that take a uri or the record itself.
// Only the shape is checked here; whether the target exists is known when links are written (contract 1.5, 3.3).
import type { Json, JsonObject } from '../json.ts';
import { isObject, textOf } from '../json.ts';
import type { RecordAddress } from '../uri.ts';
import { asWritten } from '../uri.ts';
import type { RefProperty, UriProperty } from '../schema/property.ts';
import { isGiven } from './content.ts';
import type { Pass } from './pass.ts';
import { reportError } from './pass.ts';
import type { Walker } from './scalars.ts';
import { refuseType } from './scalars.ts';
import { tellUnknown } from './unknown.ts';
import { classOf, says, wrongType } from './wording.ts';

/** Walks the properties that a link itself has; undefined where the object has none of them. */
export type LinkPropertiesWalker = (value: JsonObject, pass: Pass) => JsonObject | undefined;

// A ref without properties of its own.
const plainRef = { name: null, names: new Set<string>() };

const temporaryEnd = /\/import_[0-9A-Za-z_-]+$/;

/** The walker of `{ref: uri, …}`. An object without any known key counts as absent; one without `ref` alone is an error. */
export function refWalker(property: RefProperty, walkProperties: LinkPropertiesWalker | null): Walker {
  const targetOf = targetCheck(property.to);
  const wanted = property.to.map((kind) => `JSONModel(:${kind}) uri`);
  return (value, pass) => {
    if (!isObject(value)) {
      reportError(pass, undefined, wrongType(['object'], classOf(value)));
      return value;
    }
    const uri = isGiven(value['ref']) ? value['ref'] : undefined;
    const own = walkProperties === null ? undefined : walkProperties(value, pass);
    const told = pass.context.unknownProperties;
    if (told !== undefined && walkProperties === null)
      for (const name of Object.keys(value)) tellUnknown(told, plainRef, name, pass);
    if (uri === undefined) {
      if (own === undefined) return undefined;
      reportError(pass, 'ref', says.missing);
      return own;
    }
    const target = typeof uri === 'string' ? targetOf(uri, pass) : null;
    const ref = typeof uri === 'string' && target !== null ? keptUri(uri, target) : uri;
    if (typeof ref === 'string' && target !== null) addLink(pass, ref, own, target);
    else reportError(pass, 'ref', wrongType(wanted, classOf(uri)));
    return own === undefined ? { ref } : { ref, ...own };
  };
}

/** The walker of a bare uri. `isLinkObject`: the uri is the `ref` of a sub-record, which adds the link itself. */
export function uriWalker(property: UriProperty, isLinkObject: boolean): Walker {
  const targetOf = targetCheck(property.to);
  const wanted = property.to.map((kind) => `JSONModel(:${kind}) uri`);
  return (value, pass) => {
    const target = typeof value === 'string' ? targetOf(value, pass) : null;
    if (typeof value !== 'string' || target === null) return refuseType(value, wanted, pass);
    const uri = keptUri(value, target);
    if (!isLinkObject) addLink(pass, uri, undefined, target);
    return uri;
  };
}

/** The walker of a place that takes a uri, or the record itself. */
export function uriOrObjectWalker(property: UriProperty, walkObject: Walker): Walker {
  const targetOf = targetCheck(property.to);
  const wanted = property.to.map((kind) => `JSONModel(:${kind}) uri_or_object`);
  return (value, pass) => {
    if (isObject(value)) return walkObject(value, pass);
    const target = typeof value === 'string' ? targetOf(value, pass) : null;
    if (typeof value !== 'string' || target === null) {
      reportError(pass, undefined, wrongType(wanted, classOf(value)));
      return value;
    }
    const uri = keptUri(value, target);
    addLink(pass, uri, undefined, target);
    return uri;
  };
}

/** What a uri turned out to be: an address, or a place in the batch that an import will give one. */
export type Target = RecordAddress | 'temporary';

// Bodies are compared with the uris of records as texts: where they are resolved, found, moved and merged.
const keptUri = (uri: string, target: Target): string => (target === 'temporary' ? uri : asWritten(uri));

/** Notes a link from where the pass stands to `uri`; `own` are the properties of the link, `target` what the uri names where that is known. */
export function addLink(pass: Pass, uri: string, own: JsonObject | undefined, target?: Target): void {
  const role = own === undefined ? null : (textOf(own, 'role') ?? textOf(own, 'relator') ?? null);
  pass.links.push({
    property: propertyHere(pass),
    path: pass.path.join('/'),
    uri,
    role,
    address: target === 'temporary' ? undefined : target,
  });
}

/** The path of where the pass stands without the indexes. */
function propertyHere(pass: Pass): string {
  let property = '';
  for (const step of pass.path) if (typeof step === 'string') property = property === '' ? step : `${property}.${step}`;
  return property;
}

function targetCheck(kinds: readonly string[]): (uri: string, pass: Pass) => Target | null {
  const allowed = new Set(kinds);
  return (uri, pass) => {
    const address = pass.context.parseUri(uri);
    if (address !== null) return allowed.has(address.kind) ? address : null;
    const like = pass.context.acceptTemporary ? pass.context.parseUri(permanentForm(uri)) : null;
    return like !== null && allowed.has(like.kind) ? 'temporary' : null;
  };
}

/** A uri of the same kind as a temporary one, so that the kind can be read from it. */
function permanentForm(uri: Json & string): string {
  return uri.replace(temporaryEnd, '/1').replace('/repositories/import/', '/repositories/1/');
}

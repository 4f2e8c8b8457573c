// Checks of references: ref objects, bare uris, and places that take a uri or the record itself.
// Only the shape is checked here; whether the target exists is known when links are written (contract 1.5, 3.3).
import type { Json, JsonObject } from '../json.ts';
import { isObject, textOf } from '../json.ts';
import type { RefProperty, UriProperty } from '../schema/property.ts';
import type { Pass } from './pass.ts';
import { reportError } from './pass.ts';
import type { Walker } from './scalars.ts';
import { classOf, says, wrongType } from './wording.ts';

/** Walks the properties that a link itself has; undefined where the object has none of them. */
export type LinkPropertiesWalker = (value: JsonObject, pass: Pass) => JsonObject | undefined;

const temporaryEnd = /\/import_[0-9A-Za-z_-]+$/;

/** The walker of `{ref: uri, …}`. An object without any known key counts as absent; one without `ref` alone is an error. */
export function refWalker(property: RefProperty, walkProperties: LinkPropertiesWalker | null): Walker {
  const isTarget = targetCheck(property.to);
  const wanted = property.to.map((kind) => `JSONModel(:${kind}) uri`);
  return (value, pass) => {
    if (!isObject(value)) {
      reportError(pass, undefined, wrongType(['object'], classOf(value)));
      return value;
    }
    const uri = value['ref'] === '' || value['ref'] === null ? undefined : value['ref'];
    const own = walkProperties === null ? undefined : walkProperties(value, pass);
    if (uri === undefined) {
      if (own === undefined) return undefined;
      reportError(pass, 'ref', says.missing);
      return own;
    }
    if (typeof uri === 'string' && isTarget(uri, pass)) addLink(pass, uri, own);
    else reportError(pass, 'ref', wrongType(wanted, classOf(uri)));
    return { ref: uri, ...own };
  };
}

/** The walker of a bare uri. `isLinkObject`: the uri is the `ref` of a sub-record, which adds the link itself. */
export function uriWalker(property: UriProperty, isLinkObject: boolean): Walker {
  const isTarget = targetCheck(property.to);
  const wanted = property.to.map((kind) => `JSONModel(:${kind}) uri`);
  return (value, pass) => {
    if (typeof value !== 'string' || !isTarget(value, pass)) reportError(pass, undefined, wrongType(wanted, classOf(value)));
    else if (!isLinkObject) addLink(pass, value, undefined);
    return value;
  };
}

/** The walker of a place that takes a uri, or the record itself. */
export function uriOrObjectWalker(property: UriProperty, walkObject: Walker): Walker {
  const isTarget = targetCheck(property.to);
  const wanted = property.to.map((kind) => `JSONModel(:${kind}) uri_or_object`);
  return (value, pass) => {
    if (isObject(value)) return walkObject(value, pass);
    if (typeof value !== 'string' || !isTarget(value, pass)) reportError(pass, undefined, wrongType(wanted, classOf(value)));
    else addLink(pass, value, undefined);
    return value;
  };
}

/** Notes a link from where the pass stands to `uri`; `own` are the properties of the link. */
export function addLink(pass: Pass, uri: string, own: JsonObject | undefined): void {
  const property = pass.path.filter((step) => typeof step === 'string').join('.');
  pass.links.push({ property, path: pass.path.join('/'), uri, role: textOf(own, 'role') ?? textOf(own, 'relator') ?? null });
}

function targetCheck(kinds: readonly string[]): (uri: string, pass: Pass) => boolean {
  const allowed = new Set(kinds);
  return (uri, pass) => {
    const address = pass.context.parseUri(uri) ?? (pass.context.acceptTemporary ? pass.context.parseUri(permanentForm(uri)) : null);
    return address !== null && allowed.has(address.kind);
  };
}

/** A uri of the same kind as a temporary one, so that the kind can be read from it. */
function permanentForm(uri: Json & string): string {
  return uri.replace(temporaryEnd, '/1').replace('/repositories/import/', '/repositories/1/');
}

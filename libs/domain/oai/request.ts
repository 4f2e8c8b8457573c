// Reads the arguments of a request: which verb, with what, or which error (OAI-PMH 2.0, 3.6 and 4; contract OAI 3 and 9).
import { parsePeriod } from './dates.ts';
import type { Period } from './dates.ts';
import type { OaiFault } from './faults.ts';
import { oaiFault } from './faults.ts';
import type { OaiToken } from './token.ts';
import { parseToken } from './token.ts';

/** A list that begins, or goes on. */
export type ListRequest =
  | { readonly prefix: string; readonly set: string | null; readonly period: Period }
  | { readonly token: OaiToken };

/** A request that the protocol allows. */
export type OaiRequest =
  | { readonly verb: 'Identify' | 'ListSets' }
  | { readonly verb: 'ListMetadataFormats'; readonly identifier: string | null }
  | { readonly verb: 'GetRecord'; readonly identifier: string; readonly prefix: string }
  | { readonly verb: 'ListIdentifiers' | 'ListRecords'; readonly list: ListRequest };

type Arguments = ReadonlyMap<string, string>;

const allowed: { readonly [verb: string]: readonly string[] } = {
  Identify: [],
  ListSets: ['resumptionToken'],
  ListMetadataFormats: ['identifier'],
  GetRecord: ['identifier', 'metadataPrefix'],
  ListIdentifiers: ['metadataPrefix', 'from', 'until', 'set', 'resumptionToken'],
  ListRecords: ['metadataPrefix', 'from', 'until', 'set', 'resumptionToken'],
};

/** The request of name-value pairs, or its error. */
export function parseOaiRequest(pairs: readonly (readonly [string, string])[]): OaiRequest | OaiFault {
  const verbs = pairs.filter(([name]) => name === 'verb').map(([, value]) => value);
  const verb = verbs[0];
  if (verb === undefined || verbs.length > 1 || !Object.hasOwn(allowed, verb)) return oaiFault('badVerb');
  const given = pairs.filter(([name]) => name !== 'verb');
  const args: Arguments = new Map(given);
  if (args.size < given.length || [...args.keys()].some((name) => allowed[verb]?.includes(name) !== true))
    return oaiFault('badArgument');
  switch (verb) {
    case 'Identify':
      return { verb };
    case 'ListSets':
      // The sets fit into one reply, so nobody was given a token.
      return args.has('resumptionToken') ? oaiFault('badResumptionToken') : { verb };
    case 'ListMetadataFormats':
      return { verb, identifier: args.get('identifier') ?? null };
    case 'GetRecord':
      return parseGetRecord(args);
    default:
      return verb === 'ListIdentifiers' || verb === 'ListRecords' ? parseList(verb, args) : oaiFault('badVerb');
  }
}

function parseGetRecord(args: Arguments): OaiRequest | OaiFault {
  const [identifier, prefix] = [args.get('identifier'), args.get('metadataPrefix')];
  return identifier === undefined || prefix === undefined || prefix === ''
    ? oaiFault('badArgument')
    : { verb: 'GetRecord', identifier, prefix };
}

function parseList(verb: 'ListIdentifiers' | 'ListRecords', args: Arguments): OaiRequest | OaiFault {
  const text = args.get('resumptionToken');
  if (text !== undefined) {
    if (args.size > 1) return oaiFault('badArgument');
    const token = parseToken(text);
    return token === null ? oaiFault('badResumptionToken') : { verb, list: { token } };
  }
  const prefix = args.get('metadataPrefix');
  const set = args.get('set') ?? null;
  if (prefix === undefined || prefix === '' || set === '') return oaiFault('badArgument');
  const period = parsePeriod(args.get('from'), args.get('until'));
  return 'code' in period ? period : { verb, list: { prefix, set, period } };
}

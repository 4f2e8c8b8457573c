// A curl command for a route, for the documentation: runs after MUNIMENT and SESSION are set in the shell.
import type { Parameter, ParameterType } from '../request/parameters.ts';
import { pathNames } from '../route.ts';
import type { Method, Route } from '../route.ts';

/** The command, over several lines where it is long. `header` is the session header. */
export function curlExample(route: Route, method: Method, header: string): string {
  const inPath = new Set(pathNames(route.path));
  const path = route.path
    .replace(/:([a-z_]+)/g, (_whole, name: string) => encodeURIComponent(sampleText(route.parameters[name])))
    .replace(/\*$/, () => sampleText(route.parameters['rest']));
  const needed = Object.entries(route.parameters).filter(
    ([name, parameter], index, all) =>
      !inPath.has(name) && (!parameter.optional || isFirstOfGroup(parameter, index, all)),
  );
  const query = needed
    .map(
      ([name, parameter]) =>
        `${parameter.type.name === 'list' ? `${name}[]` : name}=${encodeURIComponent(sampleText(parameter))}`,
    )
    .join('&');
  const lines = [
    `curl ${method === 'GET' ? '-g' : `-g -X ${method}`} "$MUNIMENT${path}${query === '' ? '' : `?${query}`}"`,
  ];
  if (route.access !== 'public') lines.push(`-H "${header}: $SESSION"`);
  const body = bodyArgument(route);
  if (body !== undefined) lines.push(body);
  return lines.join(' \\\n  ');
}

// Of a group one parameter is needed; the example sends the first.
function isFirstOfGroup(
  parameter: Parameter<unknown>,
  index: number,
  all: readonly (readonly [string, Parameter<unknown>])[],
): boolean {
  return parameter.group !== undefined && all.findIndex(([, other]) => other.group === parameter.group) === index;
}

function bodyArgument(route: Route): string | undefined {
  switch (route.body?.form) {
    case undefined:
      return undefined;
    case 'multipart':
      return '-F "files[]=@file"';
    case 'stream':
      return '-T file';
    case 'text':
      return '-d "text"';
    case 'array':
      return "-d '[]'";
    default:
      return `-d @${route.body?.schema ?? 'body'}.json`;
  }
}

function sampleText(parameter: Parameter<unknown> | undefined): string {
  if (parameter === undefined) return 'x';
  const { example } = parameter;
  if (Array.isArray(example)) return String(example[0]);
  if (typeof example === 'string' || typeof example === 'number' || typeof example === 'boolean')
    return String(example);
  return sampleOfType(parameter.type);
}

function sampleOfType(type: ParameterType): string {
  switch (type.name) {
    case 'list':
      return sampleOfType(type.of);
    case 'repository':
      return '2';
    case 'integer':
    case 'id':
      return '1';
    case 'id_set':
      return '1,2,3';
    case 'boolean':
      return 'true';
    case 'username':
      return 'admin';
    case 'json':
    case 'record':
      return '{}';
    default:
      return 'text';
  }
}

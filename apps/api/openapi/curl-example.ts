// A curl command for a route, for the documentation: runs after MUNIMENT and SESSION are set in the shell.
import type { Parameter, ParameterType } from '../request/parameters.ts';
import { bodyExample } from './examples.ts';
import { formFields, wireName, withExample } from './parameters.ts';
import { mediaTypeOf } from './request-body.ts';
import { pathNames } from '../route.ts';
import type { Method, Route } from '../route.ts';

/** The command, over several lines where it is long. `header` is the session header. */
export function curlExample(route: Route, method: Method, header: string): string {
  const inPath = new Set(pathNames(route.path));
  const path = route.path
    .replace(/:([a-z_]+)/g, (_whole, name: string) => encodeURIComponent(sampleText(parameterOf(route, name))))
    .replace(/\*$/, () => sampleText(parameterOf(route, 'rest')));
  const inForm = formFields(route, method);
  const needed = Object.entries(route.parameters).filter(
    ([name, parameter], index, all) =>
      !inPath.has(name) && (!parameter.optional || isFirstOfGroup(parameter, index, all)),
  );
  const query = needed
    .filter(([name]) => !inForm.some(([field]) => field === name))
    .map((named) => `${wireName(named)}=${encodeURIComponent(sampleText(named[1]))}`)
    .join('&');
  const lines = [
    `curl ${method === 'GET' ? '-g' : `-g -X ${method}`} "$MUNIMENT${path}${query === '' ? '' : `?${query}`}"`,
  ];
  if (route.access !== 'public') lines.push(`-H "${header}: $SESSION"`);
  if (route.header !== undefined) lines.push(`-H ${quoted(`${route.header.name}: ${route.header.example}`)}`);
  const isMultipart = route.body?.form === 'multipart';
  for (const named of needed.filter(([name]) => inForm.some(([field]) => field === name)))
    lines.push(`${isMultipart ? '-F' : '--data-urlencode'} ${quoted(`${wireName(named)}=${sampleText(named[1])}`)}`);
  lines.push(...bodyArguments(route));
  return lines.join(' \\\n  ');
}

/** A parameter of the address with its example. */
function parameterOf(route: Route, name: string): Parameter<unknown> | undefined {
  const parameter = route.parameters[name];
  return parameter === undefined ? undefined : withExample([name, parameter], route)[1];
}

/** A word of the shell, whatever is in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

// Of a group one parameter is needed; the example sends the first.
function isFirstOfGroup(
  parameter: Parameter<unknown>,
  index: number,
  all: readonly (readonly [string, Parameter<unknown>])[],
): boolean {
  return parameter.group !== undefined && all.findIndex(([, other]) => other.group === parameter.group) === index;
}

function bodyArguments({ body }: Route): readonly string[] {
  if (body === undefined) return [];
  const file = body.exampleFile;
  if (body.form === 'multipart') return file === undefined ? [] : [`-F ${quoted(`files[]=@${file}`)}`];
  if (body.form === 'stream') return file === undefined ? [] : [`-T ${quoted(file)}`];
  const example = bodyExample(body);
  if (example === undefined) return [];
  const text = typeof example === 'string' ? example : JSON.stringify(example);
  return [`-H 'Content-Type: ${mediaTypeOf(body)}'`, `-d ${quoted(text)}`];
}

function sampleText(parameter: Parameter<unknown> | undefined): string {
  if (parameter === undefined) return 'x';
  const { example } = parameter;
  if (Array.isArray(example)) return String(example[0]);
  if (typeof example === 'object' && example !== null) return JSON.stringify(example);
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

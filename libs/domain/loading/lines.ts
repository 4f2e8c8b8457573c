// What a line of a folder of records is (decision 0027): a record of a kind, a setting that is no record, an address that was given up, or
// something that comes with another record anyway.
import { parseUri } from '../addresses.ts';
import { fail } from '../errors.ts';
import type { Failure } from '../errors.ts';
import type { Json, JsonObject } from '../json.ts';
import { objectOf, textOf } from '../json.ts';
import type { Kind } from '../kind.ts';
import { kinds } from '../kinds/index.ts';
import type { RecordAddress } from '../uri.ts';

/** A line, told apart by what it says of itself. */
export type LoadedLine =
  | { readonly what: 'record'; readonly kind: Kind; readonly address: RecordAddress }
  | { readonly what: 'setting'; readonly type: SettingType }
  /** `at` is null where the source does not tell when. */
  | { readonly what: 'deleted'; readonly uri: string; readonly at: string | null }
  | { readonly what: 'part'; readonly type: string };

const settingTypes = [
  'enumeration',
  'default_values',
  'required_fields',
  'oai_config',
  'assessment_attribute_definitions',
] as const;

/** What is no record of a kind, and comes along all the same. */
export type SettingType = (typeof settingTypes)[number];

/** Sub-records with addresses of their own: they come with their records. */
const partTypes: ReadonlySet<string> = new Set(['enumeration_value', 'collection_management', 'deaccession', 'job']);

const settingOf = (record: JsonObject): SettingType | undefined => {
  const said = settingTypes.find((type) => type === textOf(record, 'jsonmodel_type'));
  const path = textOf(record, 'uri') ?? '';
  return said ?? settingTypes.find((type) => new RegExp(`^/repositories/\\d+/${type}(/|$)`).test(path));
};

/** Tells what a line is. Fails with `import_failed` where it is nothing that can be loaded. */
export function lineOf(record: JsonObject, number: number): LoadedLine {
  const type = textOf(record, 'jsonmodel_type');
  const uri = textOf(record, 'uri');
  const setting = settingOf(record);
  if (setting !== undefined) return { what: 'setting', type: setting };
  if (type === undefined && uri !== undefined && 'at' in record)
    return { what: 'deleted', uri, at: textOf(record, 'at') ?? null };
  if (type !== undefined && partTypes.has(type)) return { what: 'part', type };
  const kind = type === undefined ? undefined : kinds.get(type);
  if (kind === undefined)
    throw lineFailure(record, number, {
      jsonmodel_type: [type === undefined ? 'Property is required but was missing' : `Unknown type '${type}'`],
    });
  const address = uri === undefined ? null : parseUri(uri);
  if (address === null || address.kind !== kind.name)
    throw lineFailure(record, number, { uri: [`'${uri ?? ''}' is no address of a ${kind.name}`] });
  return { what: 'record', kind, address };
}

/** The failure of a line: as that of a record of a batch, by its number from 1, type, address and title. */
export function lineFailure(
  record: JsonObject,
  number: number,
  errors: Json,
  errorClass = 'invalid_record',
  cause?: Failure,
): Failure {
  return fail(
    'import_failed',
    {
      record_title: (textOf(record, 'title') ?? textOf(record, 'uri') ?? `line ${number + 1}`).slice(0, 300),
      record_type: textOf(record, 'jsonmodel_type') ?? null,
      record_uri: textOf(record, 'uri') ?? null,
      record_number: number + 1,
      error_class: cause?.code ?? errorClass,
      errors,
    },
    {},
    cause,
  );
}

/** The repository that a setting of one belongs to, and the type of record that a form setting is for. */
export function placeOfSetting(record: JsonObject): {
  readonly repoId: number | null;
  readonly recordType: string | null;
} {
  const uri = textOf(record, 'uri') ?? textOf(objectOf(record, 'repository'), 'ref') ?? '';
  const [, repoId, , recordType] = /^\/repositories\/(\d+)(?:\/(\w+)(?:\/(\w+))?)?/.exec(uri) ?? [];
  return {
    repoId: repoId === undefined ? null : Number(repoId),
    recordType: textOf(record, 'record_type') ?? recordType ?? null,
  };
}

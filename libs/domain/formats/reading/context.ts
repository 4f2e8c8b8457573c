// What the readers of all formats share: options, temporary URIs, the records emitted so far, controlled values, the report.
import { kindNamed } from '../../addresses.ts';
import { fail } from '../../errors.ts';
import type { JsonObject } from '../../json.ts';
import type { XmlPosition } from '../xml/reader.ts';
import { bibliographicCode } from './languages.ts';
import { createReportBuilder } from './report.ts';
import type { ReportBuilder } from './report.ts';

/** A record for the batch import pipeline: a full body with its kind and a temporary URI (behaviour-trees-and-jobs.md 2.1). */
export type ImportRecord = JsonObject & { readonly jsonmodel_type: string; readonly uri: string };

/** How a document is read. Look-ups are synchronous: the caller has loaded the lists, profiles and barcodes it wants matched. */
export type ReadingOptions = {
  /** `/repositories/2`: where the records will live. */
  readonly repositoryUri: string;
  /** Hex digits and dashes; makes temporary URIs and digital object ids the same in every reading. */
  readonly importId: string;
  /** Whether a controlled list holds a value. */
  isEnumerationValue(list: string, value: string): boolean;
  /** The value that has this label in any language, matched without regard to case. */
  enumerationValueForLabel?(list: string, label: string): string | undefined;
  /** URI of the container profile of this name, if there is one. */
  containerProfileUri?(name: string): string | undefined;
  /** URI of the top container with this barcode in the repository, if there is one. */
  topContainerUri?(barcode: string): string | undefined;
  /** Whether a subject that is there has the identifier of this one in its source, and other terms. */
  isAuthorityIdTaken?(subject: JsonObject): boolean;
  /** Vocabulary of subjects and terms; `/vocabularies/1` unless given. */
  readonly vocabularyUri?: string;
  /** How many dropped parts the report lists; 1,000 unless given. */
  readonly reportLimit?: number;
};

/** The state of one reading. */
export type ReadingContext<Options extends ReadingOptions = ReadingOptions> = {
  readonly options: Options;
  readonly report: ReportBuilder;
  readonly vocabularyUri: string;
  /** A new temporary URI of a kind, named as `jsonmodel_type`. */
  nextUri(kind: string): string;
  /** How many URIs were given: the seed of generated identifiers. */
  sequence(): number;
  emit(record: ImportRecord): void;
  /** Emits a record once per `key` and gives its URI; the same key later gives the same URI and emits nothing. */
  emitOnce(kind: string, key: string, body: JsonObject): string;
  /** Gives a value that only one thing in a document may have to the first that asks for it; whether `owner` is that one. */
  claim(name: string, value: string, owner: string): boolean;
  /** The value of an editable list for some text: the value itself, its form in the list, the value with this label, else the text. */
  controlled(list: string, text: string): string;
  /** The value of a list nobody may extend, or undefined where the text is not in it. */
  fixed(list: string, text: string): string | undefined;
  position(): XmlPosition;
};

/** Starts a reading. Throws `bad_parameter` for an import id that no temporary URI may hold. */
export function createContext<Options extends ReadingOptions>(
  options: Options,
  emit: (record: ImportRecord) => void,
  position: () => XmlPosition,
): ReadingContext<Options> {
  if (!/^[0-9a-f]+(-[0-9a-f]+)*$/i.test(options.importId)) {
    throw fail('bad_parameter', { importId: ['Must be hex digits and dashes'] });
  }
  const report = createReportBuilder(options.reportLimit);
  const seen = new Map<string, string>();
  const owners = new Map<string, string>();
  let count = 0;
  const emitCounted = (record: ImportRecord): void => {
    report.count(record.jsonmodel_type);
    emit(record);
  };
  const nextUri = (kind: string): string => {
    count += 1;
    return kindNamed(kind)
      .uri.replace('/repositories/:repo_id', options.repositoryUri)
      .replace(':id', `import_${options.importId}-${count}`);
  };
  return {
    options,
    report,
    vocabularyUri: options.vocabularyUri ?? '/vocabularies/1',
    nextUri,
    sequence: () => count,
    emit: emitCounted,
    emitOnce(kind, key, body) {
      const known = seen.get(`${kind} ${key}`);
      if (known !== undefined) return known;
      const uri = nextUri(kind);
      seen.set(`${kind} ${key}`, uri);
      emitCounted({ ...body, jsonmodel_type: kind, uri });
      return uri;
    },
    claim(name, value, owner) {
      const key = `${name} ${value}`;
      const first = owners.get(key) ?? owner;
      owners.set(key, first);
      return first === owner;
    },
    controlled: (list, text) => findValue(options, list, text) ?? text,
    fixed: (list, text) => findValue(options, list, text),
    position,
  };
}

/** A text matched as it stands, in lower case, with blanks as underscores or as scripts are coded (`latn` for `Latn`), then as a label (behaviour-imports.md 1, [ours]). */
function findValue(options: ReadingOptions, list: string, text: string): string | undefined {
  const lower = text.toLowerCase();
  const candidates = [text, lower, lower.replaceAll(' ', '_'), `${lower.charAt(0).toUpperCase()}${lower.slice(1)}`];
  if (list === 'language_iso639_2') candidates.push(bibliographicCode(text));
  return (
    candidates.find((value) => options.isEnumerationValue(list, value)) ??
    options.enumerationValueForLabel?.(list, text)
  );
}

/** The failure of a document that cannot become records, at the place the reader has come to. */
export function importFailure(message: string, position: XmlPosition, details: JsonObject = {}): Error {
  return fail('import_failed', {
    ...details,
    message,
    line: position.line,
    column: position.column,
    element: position.element,
  });
}

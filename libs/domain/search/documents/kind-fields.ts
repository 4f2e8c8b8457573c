// The fields that search documents of single kinds have, and where their title and identifier come from: read as the declarations say.
// Contract: behaviour-search.md section 9 ("Per kind"), search_fields.json ("from").
import type { Json, JsonObject } from '../../json.ts';
import { objectOf, textOf } from '../../json.ts';
import { kinds } from '../../kinds/index.ts';
import type { DocumentContext, DocumentFields, SearchFields } from '../declaration.ts';
import { partsOf, searchOf } from '../declared.ts';

/** The fields of one kind. `title` and `identifier` are among them where the record has one. */
export function readKindFields(kind: string, record: JsonObject, context: DocumentContext = {}): DocumentFields {
  const fields: { [name: string]: Json | undefined } = { title: titleOf(kind, record) };
  for (const [property, , part] of partsOf(kind)) {
    const value = objectOf(record, property);
    if (value !== undefined) readInto(fields, part.fields, value, context);
  }
  readInto(fields, searchOf(kind).fields ?? {}, record, context);
  return fields;
}

// A kind whose records have none is found by its label, which is also what a display string says.
function titleOf(kind: string, record: JsonObject): string | undefined {
  const title = textOf(record, 'title') ?? kinds.get(kind)?.label(record);
  return title === '' ? undefined : title;
}

function readInto(
  fields: { [name: string]: Json | undefined },
  declared: SearchFields,
  record: JsonObject,
  context: DocumentContext,
): void {
  for (const name in declared) fields[name] = declared[name]?.read(record, context);
}

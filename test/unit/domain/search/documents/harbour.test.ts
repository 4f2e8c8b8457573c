// The whole documents of full records of each kind (test/support/harbour.ts), each of which was read beside the contract (behaviour-search.md
// section 9, search_fields.json) before it was kept.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { indexedKinds } from '#domain/search/declared.ts';
import type { DocumentContext } from '#domain/search/declaration.ts';
import type { SearchDocument } from '#domain/search/documents/document.ts';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import type { HarbourRecord } from '#test/support/harbour.ts';
import { ancestorTextsOf, harbourRecords, resolvedReplyOf } from '#test/support/harbour.ts';
import { expectKept, keptText } from '#test/support/kept.ts';
import { readVector } from '#test/support/read-vector.ts';

const found = harbourRecords.filter(({ kind }) => indexedKinds.has(kind.name));

function documentsOf(record: HarbourRecord, more: DocumentContext = {}): readonly SearchDocument[] {
  const reply = resolvedReplyOf(record);
  return toSearchDocuments(record.kind.name, reply, {
    isRepositoryPublished: true,
    repositoryName: 'Port Ellery Harbour Board Archive (PEHB)',
    ancestorTexts: ancestorTextsOf(reply),
    ...more,
  });
}

const named = (key: string, value: unknown): unknown =>
  key === '_resolved' && typeof value === 'object' && value !== null ? Object.keys(value).join(' ') : value;

/** A document as it is kept: the record in it for the public alone, since that of staff is the record; of the records that it names, which properties they have. */
function kept({ stored, vector, ...rest }: SearchDocument) {
  const { json, ...fields } = stored;
  return {
    ...rest,
    stored: fields,
    ...(rest.audience === 'public' ? { json: JSON.parse(String(json), named) } : {}),
    vector: readVector(vector),
  };
}

describe.each([...new Set(found.map(({ kind }) => kind.name))])('documents of a full %s', (name) => {
  const records = found.filter(({ kind }) => kind.name === name);

  it('are as they are kept', async () => {
    const documents = records.flatMap((record) => documentsOf(record).map(kept));
    await expectKept(keptText(documents, 4), `search/${name}.json`);
  });

  it('show and find nothing of what is withheld, where they are for the public', () => {
    const shown = records.flatMap((record) => documentsOf(record)).filter(({ audience }) => audience !== 'staff');
    for (const document of shown) expect(JSON.stringify(document).toLowerCase()).not.toContain('withheld');
  });

  it('hold for staff the record itself, without contact details', () => {
    for (const record of records) {
      const [document] = documentsOf(record);
      const { agent_contacts: contacts, ...shown } = resolvedReplyOf(record);
      const held: JsonObject = JSON.parse(String(document?.stored['json']));
      expect(held).toEqual(
        JSON.parse(JSON.stringify(contacts === undefined ? shown : { ...shown, agent_contacts: [] })),
      );
    }
  });
});

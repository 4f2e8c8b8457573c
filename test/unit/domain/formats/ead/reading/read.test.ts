// The entry of the EAD reader: streaming, failures, hostile documents, memory.
import { describe, expect, test } from 'vitest';
import { readEad } from '#domain/formats/ead/reading/read.ts';
import { bytesOf, eadDocument, readDocument, testOptions } from '#test/support/ead-document.ts';

describe('readEad', () => {
  test('yields records while the document is still coming in', async () => {
    let sent = 0;
    const component = '<c level="file"><did><unittitle>T</unittitle></did></c>';
    const document = eadDocument({ dsc: component.repeat(3000) });
    async function* chunks(): AsyncGenerator<Uint8Array> {
      for await (const chunk of bytesOf(document, 4096)) {
        sent += 1;
        yield chunk;
      }
    }
    const reading = readEad(chunks(), testOptions);
    await reading.next();
    expect(sent).toBeLessThan(3);
    await reading.return({ records: {}, dropped: [], droppedTotal: 0, droppedSorts: [] });
  });

  test('gives the same records whatever the size of the chunks', async () => {
    const document = eadDocument({
      dsc: '<c level="file"><did><unittitle>Café &amp; “x”</unittitle><container type="box">1</container></did></c>',
    });
    const read = async (size: number) => Array.fromAsync(readEad(bytesOf(document, size), testOptions));
    expect(await read(1)).toEqual(await read(100_000));
  });

  test('refers only to records it emits', async () => {
    const { records } = await readDocument({
      did: '<origination><persname>A</persname></origination>',
      notes: '<controlaccess><subject>S</subject></controlaccess><dao href="u"/>',
      dsc: '<c level="series"><did><unittitle>A</unittitle><container type="box">1</container></did><c level="file"><did><unittitle>B</unittitle></did></c></c>',
    });
    const uris = new Set(records.map((record) => record.uri));
    const refs = [...JSON.stringify(records).matchAll(/"ref":"([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(refs.length).toBeGreaterThan(5);
    expect(refs.filter((ref) => !uris.has(ref))).toEqual([]);
    expect(uris.size).toBe(records.length);
  });

  test('counts records and gives the report at the end', async () => {
    let seen: unknown;
    const { report } = await readDocument(
      { dsc: '<c level="file"><did><unittitle>A</unittitle></did></c>' },
      { onReport: (given) => void (seen = given) },
    );
    expect(report.records).toEqual({ archival_object: 1, resource: 1 });
    expect(seen).toEqual(report);
  });

  test('names line and column of malformed XML and of an empty document', async () => {
    await expect(readDocument('<ead>\n<archdesc></did></ead>')).rejects.toMatchObject({
      code: 'import_failed',
      error: { line: 2, column: expect.any(Number) },
    });
    await expect(readDocument('')).rejects.toMatchObject({
      code: 'import_failed',
      error: { message: 'The document holds no element.' },
    });
    await expect(readDocument('plain text')).rejects.toMatchObject({ code: 'import_failed' });
    await expect(readDocument('<ead><archdesc>')).rejects.toMatchObject({ code: 'import_failed' });
  });

  test('expands no entity that holds others or stands in another file', async () => {
    const bomb = `<!DOCTYPE ead [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>${eadDocument({ did: '<unittitle>&b;</unittitle>' }).replace(/^<\?xml[^>]*>/, '')}`;
    await expect(readDocument(bomb)).rejects.toThrow(/undefined entity/);
    const outside = `<!DOCTYPE ead [<!ENTITY x SYSTEM "file:///etc/hostname">]>${eadDocument({ did: '<unittitle>&x;</unittitle>' }).replace(/^<\?xml[^>]*>/, '')}`;
    await expect(readDocument(outside)).rejects.toThrow(/undefined entity/);
  });

  test('refuses components nested without end', async () => {
    await expect(
      readDocument({ dsc: '<c level="file"><did><unittitle>T</unittitle></did>'.repeat(400) }),
    ).rejects.toThrow(/nested more than 256 deep/);
  });

  test('is not led astray by names that objects inherit', async () => {
    const { resource } = await readDocument({
      notes:
        '<constructor>x</constructor><toString/><controlaccess><constructor>y</constructor><toString>z</toString></controlaccess><index><indexentry><valueOf>v</valueOf></indexentry></index>',
      did: '<origination><hasOwnProperty>w</hasOwnProperty></origination>',
    });
    expect([resource['subjects'], resource['linked_agents'], resource['notes']]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

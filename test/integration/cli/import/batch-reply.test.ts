// The streamed reply of a batch import, however it is cut into pieces.
import { describe, expect, it } from 'vitest';
import { readBatchReply } from '../../../../apps/cli/import/batch-reply.ts';

const good = `[
{"status":[{"id":1,"label":"Reading JSON records","type":"started"}]},
{"ticks":3,"total":null},
{"status":[{"id":1,"label":"Reading JSON records","type":"done"},{"id":2,"label":"Saving records: cycle 1","type":"started"}]},
{"ticks":2,"total":2},
{"saved":{"/repositories/2/resources/import_ü\\"a":["/repositories/2/resources/45",45],"/agents/people/1":["/agents/people/7",7]}}

]
`;

async function read(text: string, pieceBytes: number) {
  const heard: unknown[] = [];
  const bytes = Buffer.from(text);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  const outcome = await readBatchReply(pieces(), {
    onPhase: (label) => heard.push(label),
    onTicks: (done, total) => heard.push([done, total]),
    onSaved: (uri) => heard.push(uri),
  });
  return { outcome, heard };
}

describe('reading the reply of a batch import', () => {
  it.each([1, 2, 7, 64, 10_000])(
    'tells phases, ticks and saved uris in order, in pieces of %i bytes',
    async (pieceBytes) => {
      expect(await read(good, pieceBytes)).toEqual({
        outcome: { errors: [] },
        heard: [
          'Reading JSON records',
          [3, null],
          'Saving records: cycle 1',
          [2, 2],
          '/repositories/2/resources/45',
          '/agents/people/7',
        ],
      });
    },
  );

  it.each([1, 10_000])('gives the errors of a failed import, in pieces of %i bytes', async (pieceBytes) => {
    // Letters of several bytes, which a piece may end in.
    const errors = ['Server error: “Größe” – 漢字'];
    const text = `[\n{"ticks":1,"total":2},\n{"saved":[],"errors":${JSON.stringify(errors)}}\n\n]\n`;
    expect((await read(text, pieceBytes)).outcome).toEqual({ errors });
  });

  it('gives a line for each of the bad records that the service found', async () => {
    const fault = (number: number, more: object) => ({
      record_number: number,
      record_type: 'resource',
      record_uri: null,
      record_title: null,
      errors: { title: ['is missing'], dates: ['one', 'two'] },
      ...more,
    });
    const text = `[\n${JSON.stringify({ saved: [], errors: ['Server error: no'], report: { faults: [fault(1, {}), fault(3, { record_title: 'Papers' })], complete: false } })}\n\n]\n`;
    expect((await read(text, 10)).outcome).toEqual({
      errors: [
        'Server error: no',
        'Record 1, resource: title is missing, dates one; two',
        'Record 3, Papers: title is missing, dates one; two',
        'There may be more.',
      ],
    });
  });

  it.each([
    ['an empty batch', '[\n{"saved":{}}\n\n]\n'],
    ['skipped results', '[\n{"saved":[]}\n\n]\n'],
  ])('takes %s for a success', async (_what, text) => {
    expect((await read(text, 5)).outcome).toEqual({ errors: [] });
  });

  it('reads on behind a blank line', async () => {
    expect((await read(`\n${good}`, 10_000)).heard).toEqual((await read(good, 10_000)).heard);
  });

  it('tells a reply that broke off from one that ended, wherever it was cut', async () => {
    const end = good.lastIndexOf(']');
    for (let cut = 0; cut < end; cut++)
      expect({ cut, ...(await read(good.slice(0, cut), 1000)) }).toMatchObject({ outcome: null });
    expect((await read(good.slice(0, end + 1), 1000)).outcome).toEqual({ errors: [] });
  });
});

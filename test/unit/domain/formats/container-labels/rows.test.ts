// Container labels: one row for each container in each series.
import { expect, test } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { exportFileName } from '#domain/formats/writing/file-name.ts';
import { labelRows } from '#domain/formats/container-labels/rows.ts';

const inBox = (n: number): JsonObject => ({
  sub_container: {
    type_2: 'folder',
    indicator_2: '2',
    top_container: {
      ref: `/t/${n}`,
      _resolved: {
        type: 'box',
        indicator: String(n),
        barcode: `b${n}`,
        container_profile: { ref: '/p', _resolved: { name: 'Flat' } },
        container_locations: [
          { status: 'previous', _resolved: { title: 'Old' } },
          { status: 'current', _resolved: { title: 'Main' } },
        ],
      },
    },
  },
});
const record = (depth: number, uri: string, level: string, boxes: number[]): { depth: number; record: JsonObject } => ({
  depth,
  record: { uri, level, title: `T\t${uri}`, instances: boxes.map(inBox) },
});

test('lists a container once in a series, and again in the next', async () => {
  async function* blocks(): AsyncGenerator<{ depth: number; record: JsonObject }[]> {
    yield [record(1, 's1', 'series', []), record(2, 'a', 'file', [1, 1]), record(2, 'b', 'file', [1])];
    yield [record(1, 's2', 'series', []), record(2, 'c', 'file', [1])];
  }
  const root = {
    title: 'Papers <emph>x</emph>',
    id_0: 'A',
    id_1: '2',
    repository: { ref: '/r', _resolved: { name: 'Repo' } },
  };
  const [header, ...rows] = (await Array.fromAsync(labelRows(root, blocks()))).join('').trimEnd().split('\n');
  expect(header?.split('\t')).toHaveLength(11);
  expect(rows).toEqual([
    'Repo\tPapers x\tA-2\tT s1\tT a\tFlat\tbox: 1\tb1\tfolder:2\t\tMain',
    'Repo\tPapers x\tA-2\tT s2\tT c\tFlat\tbox: 1\tb1\tfolder:2\t\tMain',
  ]);
});

test('names of files hold letters, digits, _ and . alone', () => {
  expect(exportFileName('MS 1/ä.2', '_ead.xml', new Date('2026-01-02T03:04:05.678Z'))).toBe(
    'MS_1.2_20260102_030405_UTC__ead.xml',
  );
});

import { expect, it } from 'vitest';
import { agentFileBase, exportFileName } from '#domain/formats/writing/file-name.ts';

it('names a file by its base, the moment and the format', () =>
  expect(exportFileName('MS 1/ä-b.c', '_ead.xml', new Date('2026-01-02T03:04:05.678Z'))).toBe(
    'MS_1b.c_20260102_030405_UTC__ead.xml',
  ));

it('names agents by authority id and name, or by the name alone', () => {
  expect(agentFileBase({ display_name: { authority_id: 'n 1', primary_name: 'Muster' } })).toBe('n 1_Muster');
  expect(agentFileBase({ display_name: { family_name: 'Muster' } })).toBe('Muster');
});

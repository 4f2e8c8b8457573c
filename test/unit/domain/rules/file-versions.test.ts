// The file version that stands for a digital object.
import { expect, test } from 'vitest';
import { representativeFileVersion, withRepresentativeFileVersion } from '#domain/rules/file-versions.ts';

const plain = { file_uri: 'http://x/plain', publish: true };
const thumbnail = { file_uri: 'http://x/thumb', publish: true, use_statement: 'image-thumbnail' };
const embedded = { file_uri: 'https://x/embed', publish: true, xlink_show_attribute: 'embed' };
const embeddedFile = { file_uri: 'file:///x', publish: true, xlink_show_attribute: 'embed' };
const flagged = { file_uri: 'http://x/flag', publish: true, is_representative: true };
const hidden = { file_uri: 'http://x/hidden', publish: false, use_statement: 'image-thumbnail' };

test.each([
  ['the flagged one first', [plain, embedded, thumbnail, flagged], flagged],
  ['then a thumbnail', [plain, embedded, thumbnail], thumbnail],
  ['then one embedded from the web', [plain, embeddedFile, embedded], embedded],
  ['nothing else', [plain, embeddedFile, hidden], null],
  ['nothing of nothing', [], null],
])('takes %s', (_, file_versions, expected) => {
  expect(representativeFileVersion({ file_versions })).toEqual(expected);
});

test('drops an earlier choice that no longer holds', () => {
  expect(
    withRepresentativeFileVersion({ title: 'T', representative_file_version: thumbnail, file_versions: [plain] }),
  ).toEqual({ title: 'T', file_versions: [plain] });
});

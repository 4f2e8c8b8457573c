// The report: everything from files is text in it.
import { expect, it } from 'vitest';
import { writeReport } from '../../../../../apps/cli/import/folder/report-html.ts';

it('escapes whatever files, faults and identifiers say', () => {
  const evil = '<img src=x onerror=alert(1)>"\u0000';
  const file = {
    file: evil,
    sha256: '',
    type: evil,
    repository: '/repositories/2',
    status: 'failed',
    job: evil,
    read: evil,
    created: {},
    links: [evil],
    faults: [{ line: 3, text: evil }],
    leftOut: [evil, '… and 8 more'],
    leftOutTotal: 9,
    nothing: null,
  } as const;
  const page = writeReport({
    ok: false,
    folder: evil,
    service: 'http://127.0.0.1:1',
    started: '2026-01-01',
    seconds: 1,
    onlyValidated: false,
    files: [file],
    clashes: [
      {
        rule: 'resource.identifier',
        value: evil,
        repository: '/repositories/2',
        files: [evil],
        record: null,
        isInService: true,
      },
    ],
    passedOver: [{ file: evil, why: evil, isWanted: true }],
    stopped: evil,
  });
  expect(page).not.toMatch(/<img|\u0000|="[^"]*<[^"]*"/);
  expect(page).toContain('&lt;img src=x');
  expect(page).toContain('<td>3</td>');
  expect(page).toContain('… and 8 more');
  expect(page.match(/… and/g)).toHaveLength(1);
});

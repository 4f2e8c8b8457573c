// The parameters of jobs that clients make, and job_params in the forms that clients send.
import { describe, expect, test } from 'vitest';
import { checkJobObject, isOnlyValidated, parseJobParams } from '#domain/job-parameters.ts';
import { wireJobs } from '#domain/jobs/index.ts';

const check = (name: string, given: Parameters<typeof checkJobObject>[1]) => {
  const declared = wireJobs.get(name);
  if (declared === undefined) throw new Error(`no job type ${name}`);
  return checkJobObject(declared.wire, given);
};

describe('the object of a job', () => {
  test('gets its type and defaults, and loses what it does not know', () => {
    expect(check('container_labels_job', { source: '/repositories/2/resources/1', more: 1 })).toEqual({
      job: { jsonmodel_type: 'container_labels_job', format: 'tsv', source: '/repositories/2/resources/1' },
    });
    expect(check('ns2_remover_job', {})).toEqual({ job: { jsonmodel_type: 'ns2_remover_job', dry_run: false } });
  });

  test('is refused with each missing or wrong parameter by its name', () => {
    expect(check('import_job', { filenames: [] })).toEqual({
      problems: {
        filenames: ['At least 1 item(s) is required'],
        import_type: ['Property is required but was missing'],
      },
    });
    expect(check('import_job', { filenames: ['a', 1], import_type: 'ead_xml' })).toEqual({
      problems: { 'filenames/1': ['Must be a string (you provided a Integer)'] },
    });
    expect(check('print_to_pdf_job', { source: '', include_unpublished: 'yes' })).toEqual({
      problems: {
        source: ['Property is required but was missing'],
        include_unpublished: ['Must be a boolean (you provided a String)'],
      },
    });
  });
});

describe('job_params', () => {
  test.each([
    ['{"from":"1900"}', { from: '1900' }],
    ['"{\\"from\\":\\"1900\\"}"', { from: '1900' }],
    ['', {}],
    ['nonsense', {}],
    ['[1]', {}],
    [undefined, {}],
  ])('reads %s', (text, params) => {
    expect(parseJobParams(text)).toEqual(params);
  });
});

test('a job only looks, however its client spells yes', () => {
  const isOnly = (only_validate?: string): boolean =>
    isOnlyValidated(only_validate === undefined ? {} : { only_validate });
  expect(['true', 'True', 'TRUE', 't', '1', ' true '].map(isOnly)).toEqual(Array(6).fill(true));
  expect([undefined, '', 'false', 'False', '0'].map(isOnly)).toEqual(Array(5).fill(false));
});

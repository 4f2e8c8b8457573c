// Labels of subjects and repositories.
// Contract: behaviour-records.md, section 3.4.
import { expect, test } from 'vitest';
import { repositoryLabel, subjectTitle } from '#domain/labels/headings.ts';

test('joins the terms of a subject in order', () => {
  expect(subjectTitle({ terms: [{ term: 'Ships' }, { term: 'Greece' }, { term: '1900' }] })).toBe(
    'Ships -- Greece -- 1900',
  );
});

test('names a repository with its code', () => {
  expect(repositoryLabel({ name: 'Recorded repository', repo_code: 'R1' })).toBe('Recorded repository (R1)');
});

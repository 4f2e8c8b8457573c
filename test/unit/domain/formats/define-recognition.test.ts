// What is declared of how files are recognised.
import { expect, it } from 'vitest';
import { defineRecognition } from '#domain/formats/define-recognition.ts';
import { importFormats } from '#domain/formats/import-types.ts';
import { allRecognitions } from '#domain/formats/recognitions.ts';

it('gives a recognition as it was declared', () => {
  const recognises = () => true;
  expect(defineRecognition('ead_xml', recognises)).toEqual({ importType: 'ead_xml', recognises });
});

it('every recognition is of an import that there is, and no import has two', () => {
  const types = allRecognitions.map(({ importType }) => importType);
  expect(types.filter((type) => !importFormats.has(type))).toEqual([]);
  expect(new Set(types).size).toBe(types.length);
});

// vitest's set-up of a test file, where it is recorded which lines of the product each reaches.
import { join, relative } from 'node:path';
import { afterAll, expect } from 'vitest';
import { appendLines, coverageFolder, setCurrent } from './folder.ts';
import { startRecording, takeLines } from './record.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = coverageFolder(root);
const test = relative(root, expect.getState().testPath ?? '').replaceAll('\\', '/');
startRecording();
// What ran since the last test file belongs to nobody.
takeLines();
setCurrent(folder, test);
afterAll(() => appendLines(folder, takeLines()));

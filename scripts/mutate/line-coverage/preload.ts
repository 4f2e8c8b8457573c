// Loaded before everything else in the threads of a test's process: tells every now and then which lines ran there.
import { isMainThread } from 'node:worker_threads';
import { appendLines, coverageFolder } from './folder.ts';
import { startRecording, takeLines } from './record.ts';
import { join } from 'node:path';

if (!isMainThread) {
  const folder = coverageFolder(join(import.meta.dirname, '..', '..', '..'));
  startRecording();
  setInterval(() => appendLines(folder, takeLines()), 500).unref();
}

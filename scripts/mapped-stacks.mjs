// Has stack traces of bundles name the lines of the sources, as Node's --enable-source-maps does; but a map is read when the first stack needs it, and
// not at every start, which that takes a sixth of (docs/decisions/0052). start.mjs loads it before a bundle, in every thread.
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundleFolder } from './bundled.mjs';

const bundles = pathToFileURL(bundleFolder(fileURLToPath(new URL('..', import.meta.url)))).href;
const maps = new Map();
const standard = Error.prepareStackTrace;

Error.prepareStackTrace = (error, frames) =>
  [standard(error, []), ...frames.map((frame) => `\n    at ${placed(frame)}`)].join('');

/** A frame as V8 writes it, with its place in the sources where that is known. */
function placed(frame) {
  const [file, line, column] = [frame.getFileName(), frame.getLineNumber(), frame.getColumnNumber()];
  if (typeof file !== 'string' || !file.startsWith(`${bundles}/`)) return String(frame);
  const found = mapOf(file)?.findOrigin(line, column);
  if (found?.fileName === undefined) return String(frame);
  const source = fileURLToPath(new URL(found.fileName, file));
  return String(frame).replace(`${file}:${line}:${column}`, `${source}:${found.lineNumber}:${found.columnNumber}`);
}

/** The map of a bundle's file; null where there is none that can be read. */
function mapOf(file) {
  if (!maps.has(file)) {
    let map = null;
    try {
      map = new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8')));
    } catch {
      // A trace of the bundle's own lines is better than none.
    }
    maps.set(file, map);
  }
  return maps.get(file);
}

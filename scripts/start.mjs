// Runs a .ts program under Node 24 whatever Node (18 or later) was called: `node scripts/start.mjs apps/main.ts [arguments]`.
// Plain JavaScript on purpose: an older Node must be able to read it. Node 24 comes from the npm package `node`.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runnable } from './bundled.mjs';

const neededMajor = 24;
const [script, ...args] = process.argv.slice(2);
if (script === undefined) stop('Usage: node scripts/start.mjs <script> [arguments]');

const isNewEnough = Number(process.versions.node.split('.')[0]) >= neededMajor;
const installed = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));
if (!isNewEnough && !existsSync(installed)) {
  stop(
    `This is Node ${process.versions.node}; Muniment needs Node ${neededMajor}, which npm installs with it, but ${installed} is missing.\n` +
      'Run "npm rebuild node" (install scripts were probably turned off), then try again.',
  );
}
// Compiled code is kept where only whoever installed may write: a command starts in half the time, and so do worker processes and threads.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/code', import.meta.url));
const found = runnable(fileURLToPath(new URL('..', import.meta.url)), script);
// Sources are their own lines: Node takes their types out in place.
const program = found === script ? [script] : ['--import', new URL('mapped-stacks.mjs', import.meta.url).href, found];
run(isNewEnough ? process.execPath : installed);

/** Becomes the program where this Node can (23.11 and later, not on Windows); otherwise runs it as a child and ends as it ends. */
function run(node) {
  if (typeof process.execve === 'function') {
    // Node warns that execve is experimental; the message would be shown above every start and tells the operator nothing.
    process.removeAllListeners('warning');
    process.execve(node, [node, ...process.execArgv, ...program, ...args], process.env);
  }
  const child = spawn(node, [...process.execArgv, ...program, ...args], { stdio: 'inherit' });
  const handlers = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'].map((signal) => {
    const handler = () => {
      if (!comesFromTerminal(signal)) child.kill(signal);
    };
    process.on(signal, handler);
    return { signal, handler };
  });
  child.on('error', (error) => stop(`Node ${neededMajor} does not start: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    // Ended by a signal: end by the same one, so that a shell or supervisor sees what happened.
    for (const entry of handlers) process.removeListener(entry.signal, entry.handler);
    process.kill(process.pid, signal);
  });
}

/** Ctrl-C and Ctrl-\ reach every process of a terminal; passing them on would deliver them twice, and twice means "at once". */
function comesFromTerminal(signal) {
  return (signal === 'SIGINT' || signal === 'SIGQUIT') && process.stdin.isTTY === true;
}

function stop(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

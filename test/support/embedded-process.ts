// A process that starts the embedded server and stays, so that tests can kill it. Run it with the data directory as argument, and `command` for one that has it for a while:
// it prints one line of JSON, { url, adopted, uid }, then waits. SIGTERM stops the server and ends it.
import { startEmbedded } from '#store/embedded/server.ts';

const [dataDir = '', role] = process.argv.slice(2);
const server = await startEmbedded({
  dataDir,
  log: () => undefined,
  ...(role === 'command' ? { isCommand: true } : {}),
  settings: { shared_buffers: '16MB', fsync: 'off' },
});
const stay = setInterval(() => undefined, 60_000);
process.once('SIGTERM', () => {
  clearInterval(stay);
  void server.stop();
});
// Last: whoever reads the line may end this process at once.
process.stdout.write(`${JSON.stringify({ url: server.url, adopted: server.adopted, uid: process.getuid?.() })}\n`);

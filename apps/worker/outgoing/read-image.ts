// The logo of a repository, from the address that its record names: somebody else's machine, of which nothing is trusted but bytes in bounds.
import type { Pinned, ReachRules } from './pinned.ts';
import { pin, reasonOf } from './pinned.ts';

const mostBytes = 4 * 1024 * 1024;

/** Reads a PNG or JPEG of at most 4 MB; the text says why there is none. Never throws. */
export async function readImage(url: string, rules: ReachRules): Promise<Uint8Array | string> {
  const signal = AbortSignal.any([rules.signal, AbortSignal.timeout(rules.timeoutMs)]);
  try {
    const place = await pin(url, rules.allowPrivate, signal);
    return typeof place === 'string' ? place : await read(place);
  } catch (error) {
    return reasonOf(error, rules);
  }
}

function read(place: Pinned): Promise<Uint8Array | string> {
  return new Promise((resolve, reject) => {
    const request = place.ask(
      { method: 'GET', headers: { accept: 'image/png, image/jpeg', 'user-agent': 'Muniment' } },
      (reply) => {
        const pieces: Buffer[] = [];
        let length = 0;
        const end = (outcome: Uint8Array | string): void => {
          resolve(outcome);
          reply.destroy();
        };
        if (reply.statusCode !== 200) return end(`The reply was ${reply.statusCode}`);
        reply.on('error', reject);
        reply.on('data', (piece: Buffer) => {
          pieces.push(piece);
          length += piece.length;
          if (length > mostBytes) end(`It is larger than ${mostBytes} bytes`);
        });
        reply.on('end', () => {
          const bytes = Buffer.concat(pieces);
          end(isImage(bytes) ? bytes : 'It is neither PNG nor JPEG');
        });
      },
    );
    request.on('error', reject);
    request.end();
  });
}

const isImage = (bytes: Buffer): boolean =>
  bytes.subarray(0, 8).toString('hex') === '89504e470d0a1a0a' || bytes.subarray(0, 3).toString('hex') === 'ffd8ff';

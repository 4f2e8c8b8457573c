// Saving what stands at an address of the service as a file.
import { readPieces } from '../../libs/client/connection.ts';
import { service } from './session.ts';

/**
 * Saves what stands at an address. A link could not: the cookie alone opens nothing. Null where it is saved; otherwise the uri of the job that goes on
 * with it, since it takes longer than a request waits. `called`: what the file is called where the reply does not say.
 */
export async function download(address: string, called?: string): Promise<string | null> {
  const reply = await service.send(address);
  if (reply.status === 202) {
    await reply.body?.cancel();
    return reply.headers.get('location');
  }
  const name =
    /filename="([^"]+)"/.exec(reply.headers.get('content-disposition') ?? '')?.[1] ??
    called ??
    address.split('/').at(-1) ??
    '';
  const url = URL.createObjectURL(await wholeOf(reply));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  return null;
}

/** The body of a reply; where it breaks off on its way the connection is lost, as it is for one that never came. */
export async function wholeOf(reply: Response): Promise<Blob> {
  const pieces: BlobPart[] = [];
  for await (const piece of readPieces(reply, service.url)) pieces.push(new Uint8Array(piece));
  return new Blob(pieces);
}

import { readPieces } from '../../libs/client/connection.js';
import { service } from './session.js';
export async function download(address, called) {
    const reply = await service.send(address);
    if (reply.status === 202) {
        await reply.body?.cancel();
        return reply.headers.get('location');
    }
    const name = /filename="([^"]+)"/.exec(reply.headers.get('content-disposition') ?? '')?.[1] ??
        called ??
        address.split('/').at(-1) ??
        '';
    const url = URL.createObjectURL(await wholeOf(reply));
    const link = document.createElement('a');
    link.href = url;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
    return null;
}
export async function wholeOf(reply) {
    const pieces = [];
    for await (const piece of readPieces(reply, service.url))
        pieces.push(new Uint8Array(piece));
    return new Blob(pieces);
}

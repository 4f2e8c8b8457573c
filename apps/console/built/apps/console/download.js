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
    const url = URL.createObjectURL(await reply.blob());
    const link = document.createElement('a');
    link.href = url;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
    return null;
}

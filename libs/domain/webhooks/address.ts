// Whether an IP address is one of the public internet: a hook must not make the service call its own machine, its neighbours or the
// metadata service of its host. What is not surely public is not (IANA special-purpose address registries).

const v4Private: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

function v4Number(address: string): number | null {
  const parts = address.split('.');
  if (parts.length !== 4 || parts.some((part) => !/^\d{1,3}$/.test(part) || Number(part) > 255)) return null;
  return parts.reduce((sum, part) => sum * 256 + Number(part), 0);
}

function isPublicV4(number: number): boolean {
  return !v4Private.some(
    ([base, bits]) => Math.floor(number / 2 ** (32 - bits)) === Math.floor((v4Number(base) ?? 0) / 2 ** (32 - bits)),
  );
}

/** The eight groups of an IPv6 address, or null where it is none. */
function v6Groups(address: string): readonly number[] | null {
  const bare = address.replace(/%.*$/, '');
  const tail = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(bare);
  const v4 = tail === null ? null : v4Number(tail[2] ?? '');
  if (tail !== null && v4 === null) return null;
  const text =
    tail === null || v4 === null
      ? bare
      : `${tail[1]}${Math.floor(v4 / 65536).toString(16)}:${(v4 % 65536).toString(16)}`;
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const [head = [], rest = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - head.length - rest.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return null;
  const groups = [...head, ...Array<string>(halves.length === 1 ? 0 : missing).fill('0'), ...rest];
  return groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))
    ? groups.map((group) => Number.parseInt(group, 16))
    : null;
}

function isPublicV6(groups: readonly number[]): boolean {
  const [a = 0, b = 0, c = 0] = groups;
  // An IPv4 address in other clothes (mapped, 6to4, NAT64) is judged as refused: a receiver that has only that is no receiver of ours.
  if (a < 0x2000 || a > 0x3fff) return false;
  if (a === 0x2001 && b < 0x200) return false;
  if (a === 0x2001 && b === 0xdb8) return false;
  if (a === 0x2002) return false;
  if (a === 0x2620 && b === 0x4f && c === 0x8000) return false;
  return !(a === 0x3fff && b < 0x1000);
}

/** Whether an address in text form, with or without brackets, is public; false for what is no address. */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '');
  const v4 = v4Number(bare);
  if (v4 !== null) return isPublicV4(v4);
  const v6 = v6Groups(bare);
  return v6 !== null && isPublicV6(v6);
}

/** Whether the host of a URL is an address rather than a name. */
const isAddress = (host: string): boolean => v4Number(host) !== null || host.startsWith('[');

/** What is wrong with the URL of a hook, or null. Names are looked up when something is sent, so here only their form counts. */
export function urlProblem(url: string, allowPrivate: boolean): string | null {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null) return 'Not a URL';
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') return 'Must begin with https:// or http://';
  if (parsed.username !== '' || parsed.password !== '') return 'Must not hold a user or password';
  if (allowPrivate) return null;
  const isLocal = /(^|\.)(localhost|local|internal)\.?$/i.test(parsed.hostname);
  return isLocal || (isAddress(parsed.hostname) && !isPublicAddress(parsed.hostname))
    ? 'Is an address of a private network (MUNIMENT_WEBHOOK_ALLOW_PRIVATE)'
    : null;
}

// The network that an address of a client belongs to, for limits: whoever has an IPv6 address has 2^64 of them.

/** An IPv4 address as it is, also where it is written as IPv6 (`::ffff:192.0.2.1`); of an IPv6 address its first 64 bits, as `2001:db8:0:1::/64`. */
export function networkOf(address: string): string {
  const text = address.toLowerCase().replace(/%.*$/, '');
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/.exec(text)?.[1];
  if (mapped !== undefined) return mapped;
  if (!text.includes(':')) return text;
  const [head = '', tail] = text.split('::');
  const first = groupsOf(head);
  const last = tail === undefined ? [] : groupsOf(tail);
  const all = [...first, ...Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0'), ...last];
  return `${all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}

const groupsOf = (text: string): readonly string[] => (text === '' ? [] : text.split(':'));

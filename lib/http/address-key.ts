/**
 * What an address is counted by: an IPv4 address itself, of an IPv6 address the first 64 bits, since whoever has one
 * address there has all of them (RFC 6177).
 * @param address as `clientAddress` gives it
 */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address;
  // The URL parser writes every spelling of an address the same way, with a dotted end as two groups.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return `${[...before, ...Array(zeros).fill('0'), ...after].slice(0, 4).join(':')}::/64`;
}

/**
 * Under which key what somebody does is counted by address; null if the address tells nobody from anybody: there is none, or
 * it is this machine's own, which is whoever tries the shop out at home, or everybody behind a proxy that `TRUST_PROXY` does
 * not count.
 */
export function countedAddress(address: string | null): string | null {
  return address === null || LOOPBACK.test(address) ? null : addressKey(address);
}

const LOOPBACK = /^(?:127\.|::1$)/;

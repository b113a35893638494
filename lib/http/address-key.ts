/**
 * Returns the key by which an address is counted: an IPv4 address itself, or the first 64 bits of an IPv6 address,
 * because the holder of one address there has all of them (RFC 6177).
 * @param address as `clientAddress` gives it
 */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address;
  // The URL parser writes every spelling of an address the same way, and a dotted end as two groups.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return `${[...before, ...Array(zeros).fill('0'), ...after].slice(0, 4).join(':')}::/64`;
}

/**
 * Returns the key by which a client's actions are counted by address. Null if the address does not tell clients
 * apart: there is none, or it is this machine's own. The latter is a person trying the shop out at home, or all
 * clients behind a proxy that `TRUST_PROXY` does not count.
 */
export function countedAddress(address: string | null): string | null {
  return address === null || LOOPBACK.test(address) ? null : addressKey(address);
}

const LOOPBACK = /^(?:127\.|::1$)/;

import { isIP } from 'node:net';

/** Matches an address with what some proxies add to it: `1.2.3.4:56`, `[2001:db8::1]:56`, `fe80::1%eth0`. */
const DECORATED = /^(?:\[([^\]]+)\](?::\d{1,5})?|(\d+\.\d+\.\d+\.\d+):\d{1,5})$/;
const MAPPED = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;
const MAX_CHARS = 60;

/**
 * Returns the client's address: the connection's peer or, behind `hops` proxies of ours, the peer that the outermost
 * of them saw. A client can forge the entries further left in `X-Forwarded-For` and every other header (`Forwarded`,
 * `X-Real-IP` …), so this reads none of them.
 * @returns an IPv4 or IPv6 address; the peer if our own proxies have written none; null if the peer has none (a Unix
 *   socket)
 */
export function clientAddress(
  peer: string | null,
  forwardedFor: string | string[] | null | undefined,
  hops: number,
): string | null {
  const own = peer === null ? null : toAddress(peer);
  if (hops === 0 || !forwardedFor) return own;
  return toAddress(fromRight(String(forwardedFor), hops)) ?? own;
}

/** Returns the `count`th entry of a list from its end, or the first one; does not look at the rest. */
function fromRight(list: string, count: number): string {
  let end = list.length;
  for (let nth = 1; ; nth += 1) {
    const comma = list.lastIndexOf(',', end - 1);
    if (nth === count || comma === -1 || end === 0) return list.slice(comma + 1, end).trim();
    end = comma;
  }
}

function toAddress(text: string): string | null {
  if (text.length > MAX_CHARS) return null;
  const [, bracketed, v4] = DECORATED.exec(text) ?? [];
  const address = (bracketed ?? v4 ?? text).replace(/%[\w.-]*$/, '').replace(MAPPED, '');
  return isIP(address) ? address.toLowerCase() : null;
}

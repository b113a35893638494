import { isIPv4, isIPv6 } from 'node:net';

/**
 * An address or network. IPv4 counts as the part of IPv6 that stands for it (`::ffff:0:0/96`, RFC 4291), so that one
 * kind of number serves both, and an IPv4 client of a socket for both families is the client it is.
 */
type Network = {
  /** 128 bits; those beyond the prefix are 0. */
  value: bigint;
  /** Length of the prefix, 0 … 128. */
  bits: number;
};

const ALL_BITS = 128;
/** How long the prefix is under which IPv4 lies. */
export const V4_PREFIX = 96;
const V4_START = 0xffff_0000_0000n;
const LONGEST_TEXT = 64;

/** The number of an address, IPv4 or IPv6, or null if it is none. A zone (`%eth0`) is left out. */
export function parseAddress(text: string): bigint | null {
  if (text.length > LONGEST_TEXT) return null;
  if (isIPv4(text)) return V4_START + BigInt(v4Value(text));
  return isIPv6(text) ? v6Value(text.split('%', 1)[0] as string) : null;
}

/** `203.0.113.7`, `203.0.113.0/24`, `2001:db8::/32`, or null if it is none of them. What follows the prefix is cut off. */
export function parseNetwork(text: string): Network | null {
  const [address = '', length, more] = text.split('/');
  const value = parseAddress(address);
  if (value === null || more !== undefined) return null;
  if (length === undefined) return { value, bits: ALL_BITS };
  if (!/^\d{1,3}$/.test(length)) return null;
  const bits = Number(length) + (address.includes(':') ? 0 : V4_PREFIX);
  return bits > ALL_BITS ? null : { value: value & maskOf(bits), bits };
}

/** The one spelling of a network: RFC 5952 for IPv6, without a length for a single address. */
export function formatNetwork(network: Network): string {
  const { value, bits } = network;
  if (isV4(network)) {
    const address = [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
    return bits === ALL_BITS ? address : `${address}/${bits - V4_PREFIX}`;
  }
  const groups = value.toString(16).padStart(32, '0').match(/.{4}/g)?.join(':');
  // The URL standard writes addresses as RFC 5952 does.
  const address = new URL(`http://[${groups}]`).hostname.slice(1, -1);
  return bits === ALL_BITS ? address : `${address}/${bits}`;
}

/** Whether it reaches further than anybody means to: wider than an IPv4 /8 where IPv4 lies, than a /16 elsewhere. */
export function isTooWide(network: Network): boolean {
  const { value, bits } = network;
  const holdsV4 = bits < V4_PREFIX && (V4_START & maskOf(bits)) === value;
  return bits < (isV4(network) || holdsV4 ? V4_PREFIX + 8 : 16);
}

/** Every network that may be blocked and holds an address, the address itself first, spelled as they are kept. */
export function networksAround(address: bigint): string[] {
  const all = MASKS.map((mask, bits) => ({ value: address & mask, bits })).reverse();
  return all.filter((network) => !isTooWide(network)).map(formatNetwork);
}

/** Whether it lies in the part of IPv6 that is IPv4. */
export const isV4 = ({ value, bits }: Network) => bits >= V4_PREFIX && value >> 32n === V4_START >> 32n;

/** As many ones as the prefix is long, the rest zeros. */
const maskOf = (bits: number): bigint => MASKS[bits] as bigint;

const MASKS = Array.from(
  { length: ALL_BITS + 1 },
  (_, bits) => ((1n << BigInt(bits)) - 1n) << BigInt(ALL_BITS - bits),
);

function v4Value(text: string): number {
  let value = 0;
  for (const part of text.split('.')) value = value * 256 + Number(part);
  return value;
}

/** Of what `isIPv6` has said yes to, without its zone. By hand: split and parsed as text it took four times as long. */
function v6Value(text: string): bigint {
  const groups = [0, 0, 0, 0, 0, 0, 0, 0];
  let [count, gap, start, group] = [0, -1, 0, 0];
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : COLON;
    if (code === DOT) {
      const tail = v4Value(text.slice(start));
      groups[count] = tail >>> 16;
      groups[count + 1] = tail & 0xffff;
      count += 2;
      break;
    }
    if (code !== COLON) group = group * 16 + (code <= NINE ? code - ZERO : (code | 32) - SMALL_A + 10);
    else {
      if (at > start) groups[count++] = group;
      else if (at > 0) gap = count;
      [start, group] = [at + 1, 0];
    }
  }
  // What stands behind :: belongs at the end.
  if (gap >= 0) groups.copyWithin(8 - (count - gap), gap, count).fill(0, gap, 8 - (count - gap));
  const word = (at: number) => BigInt((groups[at] as number) * 0x10000 + (groups[at + 1] as number));
  return (word(0) << 96n) | (word(2) << 64n) | (word(4) << 32n) | word(6);
}

const [DOT, ZERO, NINE, COLON, SMALL_A] = [46, 48, 57, 58, 97] as const;

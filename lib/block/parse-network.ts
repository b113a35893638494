import { isIPv4, isIPv6 } from 'node:net';

/**
 * An address or network. IPv4 is stored as the part of IPv6 that stands for it (`::ffff:0:0/96`, RFC 4291). So one
 * kind of number serves both, and an IPv4 client counts as the same client on a socket for both families.
 */
type Network = {
  /** 128 bits; those beyond the prefix are 0. */
  value: bigint;
  /** Length of the prefix, 0 … 128. */
  bits: number;
};

const ALL_BITS = 128;
/** The length of the prefix under which IPv4 lies. */
export const V4_PREFIX = 96;
const V4_START = 0xffff_0000_0000n;
const LONGEST_TEXT = 64;

/** Parses an IPv4 or IPv6 address into a number; null if it is none. Ignores a zone (`%eth0`). */
export function parseAddress(text: string): bigint | null {
  if (text.length > LONGEST_TEXT) return null;
  if (isIPv4(text)) return V4_START + BigInt(v4Value(text));
  return isIPv6(text) ? v6Value(text.split('%', 1)[0] as string) : null;
}

/**
 * Parses `203.0.113.7`, `203.0.113.0/24` or `2001:db8::/32`; null if it is none of them. Sets the bits after the
 * prefix to 0.
 */
export function parseNetwork(text: string): Network | null {
  const [address = '', length, more] = text.split('/');
  const value = parseAddress(address);
  if (value === null || more !== undefined) return null;
  if (length === undefined) return { value, bits: ALL_BITS };
  if (!/^\d{1,3}$/.test(length)) return null;
  const bits = Number(length) + (address.includes(':') ? 0 : V4_PREFIX);
  return bits > ALL_BITS ? null : { value: value & maskOf(bits), bits };
}

/** Spells a network in its one standard form: RFC 5952 for IPv6, without a length for a single address. */
export function formatNetwork(network: Network): string {
  const { value, bits } = network;
  if (isV4(network)) {
    const address = [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
    return bits === ALL_BITS ? address : `${address}/${bits - V4_PREFIX}`;
  }
  const groups = value.toString(16).padStart(32, '0').match(/.{4}/g)?.join(':');
  // The URL standard writes addresses as RFC 5952 does, so `URL` does it here.
  const address = new URL(`http://[${groups}]`).hostname.slice(1, -1);
  return bits === ALL_BITS ? address : `${address}/${bits}`;
}

/** Tells whether a network is wider than anyone can mean: wider than /8 in IPv4, than /16 elsewhere. */
export function isTooWide(network: Network): boolean {
  const { value, bits } = network;
  const holdsV4 = bits < V4_PREFIX && (V4_START & maskOf(bits)) === value;
  return bits < (isV4(network) || holdsV4 ? V4_PREFIX + 8 : 16);
}

/**
 * Returns every network that may be blocked and contains an address, the address itself first, spelled as they are
 * stored.
 */
export function networksAround(address: bigint): string[] {
  const all = MASKS.map((mask, bits) => ({ value: address & mask, bits })).reverse();
  return all.filter((network) => !isTooWide(network)).map(formatNetwork);
}

/** Tells whether a network lies in the part of IPv6 that stands for IPv4. */
export const isV4 = ({ value, bits }: Network) => bits >= V4_PREFIX && value >> 32n === V4_START >> 32n;

/** Returns a mask: ones for the length of the prefix, then zeros. */
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

/**
 * Parses text that `isIPv6` has accepted, without its zone. By hand: splitting and parsing it as text took four times
 * as long.
 */
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
  // The groups after :: belong at the end.
  if (gap >= 0) groups.copyWithin(8 - (count - gap), gap, count).fill(0, gap, 8 - (count - gap));
  const word = (at: number) => BigInt((groups[at] as number) * 0x10000 + (groups[at + 1] as number));
  return (word(0) << 96n) | (word(2) << 64n) | (word(4) << 32n) | word(6);
}

const [DOT, ZERO, NINE, COLON, SMALL_A] = [46, 48, 57, 58, 97] as const;

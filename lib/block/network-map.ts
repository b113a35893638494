import { isV4, parseAddress, parseNetwork, V4_PREFIX } from './parse-network';

/**
 * A map of networks, each with its expiry, that finds those around an address. Makes one lookup per prefix length in
 * use.
 */
type NetworkMap = {
  readonly size: number;
  /** Ignores text that is no network: one row written by hand must not keep the others out of the map. */
  set: (network: string, expiresAt: number) => void;
  delete: (network: string) => void;
  /** Returns when the last of the networks around `address` expires, epoch ms; undefined if none contains it. */
  find: (address: string, nowMs: number) => number | undefined;
  /** Removes expired networks. */
  sweep: (nowMs: number) => void;
};

/** By length of the prefix, then by its bits. */
type Table<K> = Map<number, Map<K, number>>;

export function createNetworkMap(): NetworkMap {
  // IPv4 as plain numbers: with big ones a lookup took ten times as long.
  const v4: Table<number> = new Map();
  const v6: Table<string> = new Map();
  let size = 0;

  const put = <K>(table: Table<K>, bits: number, key: K, expiresAt: number) => {
    const networks = table.get(bits) ?? new Map<K, number>();
    table.set(bits, networks);
    if (!networks.has(key)) size += 1;
    networks.set(key, expiresAt);
  };
  const remove = <K>(table: Table<K>, bits: number, key: K) => {
    const networks = table.get(bits);
    if (!networks?.delete(key)) return;
    size -= 1;
    if (networks.size === 0) table.delete(bits);
  };
  const sweepTable = <K>(table: Table<K>, nowMs: number) => {
    for (const [bits, networks] of table)
      for (const [key, expiresAt] of networks) if (expiresAt <= nowMs) remove(table, bits, key);
  };
  const findV4 = (value: number, nowMs: number) => {
    let until: number | undefined;
    for (const [bits, networks] of v4)
      until = later(networks.get((value & (-1 << (32 - bits))) >>> 0), until, nowMs);
    return until;
  };

  return {
    get size() {
      return size;
    },
    set(text, expiresAt) {
      const network = parseNetwork(text);
      if (!network) return;
      const { value, bits } = network;
      if (isV4(network)) put(v4, bits - V4_PREFIX, lowBits(value), expiresAt);
      else put(v6, bits, prefixOf(value, bits), expiresAt);
    },
    delete(text) {
      const network = parseNetwork(text);
      if (!network) return;
      const { value, bits } = network;
      if (isV4(network)) remove(v4, bits - V4_PREFIX, lowBits(value));
      else remove(v6, bits, prefixOf(value, bits));
    },
    find(address, nowMs) {
      const short = v4Value(address);
      if (short !== null) return findV4(short, nowMs);
      const value = parseAddress(address);
      if (value === null) return undefined;
      if (isV4({ value, bits: 128 })) return findV4(lowBits(value), nowMs);
      let until: number | undefined;
      for (const [bits, networks] of v6) until = later(networks.get(prefixOf(value, bits)), until, nowMs);
      return until;
    },
    sweep(nowMs) {
      sweepTable(v4, nowMs);
      sweepTable(v6, nowMs);
    },
  };
}

/** Returns the later of two moments; past ones don't count. */
const later = (a: number | undefined, b: number | undefined, nowMs: number) =>
  a !== undefined && a > nowMs && (b === undefined || a > b) ? a : b;

/**
 * Returns the prefix as text: a map hashes big numbers by their lowest 64 bits alone, and many networks have the same
 * ones.
 */
const prefixOf = (value: bigint, bits: number) => (value >> BigInt(128 - bits)).toString(36);

const lowBits = (value: bigint) => Number(value & 0xffff_ffffn);

/** Parses an address in dotted spelling without a regular expression; null if it is none. */
function v4Value(text: string): number | null {
  let value = 0;
  let part = 0;
  let digits = 0;
  let dots = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : 46;
    if (code === 46) {
      if (digits === 0 || part > 255 || dots === 4) return null;
      value = value * 256 + part;
      part = 0;
      digits = 0;
      dots += 1;
    } else {
      if (code < 48 || code > 57 || digits === 3) return null;
      part = part * 10 + code - 48;
      digits += 1;
    }
  }
  return dots === 4 ? value : null;
}

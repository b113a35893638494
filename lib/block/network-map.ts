import { maskOf, parseAddress, parseNetwork } from './parse-network';

/** Networks, each until some moment; asked which of them holds an address. One lookup per length of prefix in use. */
export type NetworkMap = {
  readonly size: number;
  set: (network: string, expiresAt: number) => void;
  delete: (network: string) => void;
  /** When the last of the networks around `address` expires, epoch ms; undefined if none has it. */
  find: (address: string, nowMs: number) => number | undefined;
  /** Forgets networks that have expired. */
  sweep: (nowMs: number) => void;
};

export function createNetworkMap(): NetworkMap {
  const byBits = new Map<number, Map<bigint, number>>();
  let size = 0;

  const remove = (bits: number, value: bigint) => {
    const networks = byBits.get(bits);
    if (!networks?.delete(value)) return;
    size -= 1;
    if (networks.size === 0) byBits.delete(bits);
  };

  return {
    get size() {
      return size;
    },
    set(network, expiresAt) {
      const { value, bits } = parsed(network);
      const networks = byBits.get(bits) ?? new Map<bigint, number>();
      byBits.set(bits, networks);
      if (!networks.has(value)) size += 1;
      networks.set(value, expiresAt);
    },
    delete(network) {
      const { value, bits } = parsed(network);
      remove(bits, value);
    },
    find(address, nowMs) {
      if (size === 0) return undefined;
      const value = parseAddress(address);
      if (value === null) return undefined;
      let until: number | undefined;
      for (const [bits, networks] of byBits) {
        const expiresAt = networks.get(value & maskOf(bits));
        if (expiresAt !== undefined && expiresAt > Math.max(nowMs, until ?? 0)) until = expiresAt;
      }
      return until;
    },
    sweep(nowMs) {
      for (const [bits, networks] of byBits)
        for (const [value, expiresAt] of networks) if (expiresAt <= nowMs) remove(bits, value);
    },
  };
}

function parsed(network: string) {
  const result = parseNetwork(network);
  if (!result) throw new TypeError(`not a network: ${network}`);
  return result;
}

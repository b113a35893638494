/** Passwords of one address that may wait: enough for an office that comes to a sale together. */
export const OF_ONE_ADDRESS = 50;
/** An address gets a turn this often while others wait, ms. */
const EVERY_MS = 200;

/** By what a guest is counted, from `countedAddress`; null: not counted. */
type Address = string | null;

type AddressTurns = {
  /** Returns the place in the order of turns, epoch ms: when the guest came, or later if others came from the address. */
  keyOf: (address: Address, since: number) => number;
  isCrowded: (address: Address) => boolean;
  /** Counts a guest in. @param key from `keyOf` */
  enter: (address: Address, key: number) => void;
  leave: (address: Address) => void;
};

/** Counts the guests of each address, and treats many who come at once as if they had come one after the other. */
export function createAddressTurns(): AddressTurns {
  const known = new Map<string, { count: number; key: number }>();
  const of = (address: Address) => (address === null ? undefined : known.get(address));
  return {
    keyOf(address, since) {
      const last = of(address)?.key;
      return last === undefined ? since : Math.max(since, last + EVERY_MS);
    },
    isCrowded: (address) => (of(address)?.count ?? 0) >= OF_ONE_ADDRESS,
    enter(address, key) {
      if (address !== null) known.set(address, { count: (of(address)?.count ?? 0) + 1, key });
    },
    leave(address) {
      const own = of(address);
      if (!own || address === null) return;
      own.count -= 1;
      if (own.count === 0) known.delete(address);
    },
  };
}

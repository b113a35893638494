import type { LineEntry } from './types';

/** The rules of a sale about joining. */
export type Rules = {
  /** Places that the people of one network may have; 0: any number. */
  placesPerNetwork: number;
  /** Refuses joins after the start, as in a draw. */
  untilStart: boolean;
};

/** Numbers that one account may get in a line: the first, and four more after leaving or letting the turn pass. */
const MOST_NUMBERS = 5;

type Wish = { userId: string; device: string | null; network: string | null };
type Known = {
  /** People whose place is still valid. */
  standing: ReadonlyMap<string, LineEntry>;
  /** How many numbers an account has had, those that it gave up included. */
  numbersOf: ReadonlyMap<string, number>;
  /** Which account a device's place belongs to. */
  deviceOf: ReadonlyMap<string, string>;
  perNetwork: ReadonlyMap<string, number>;
};
type Verdict = 'join' | 'again' | 'too_often' | 'device' | 'network' | 'closed';

/**
 * Decides who joins, in the order in which they came. A person with a place keeps it, whatever has changed since. Of
 * one account that comes twice at once the first joins.
 */
export function judgeJoins(wishes: readonly Wish[], known: Known, rules: Rules | 'closed'): Verdict[] {
  const joining = new Set<string>();
  const deviceOf = new Map(known.deviceOf);
  const perNetwork = new Map(known.perNetwork);
  return wishes.map(({ userId, device, network }) => {
    if (known.standing.has(userId) || joining.has(userId)) return 'again';
    if (rules === 'closed') return 'closed';
    if ((known.numbersOf.get(userId) ?? 0) >= MOST_NUMBERS) return 'too_often';
    const holder = device === null ? userId : (deviceOf.get(device) ?? userId);
    if (holder !== userId) return 'device';
    const ofNetwork = network === null ? 0 : (perNetwork.get(network) ?? 0);
    if (rules.placesPerNetwork > 0 && network !== null && ofNetwork >= rules.placesPerNetwork)
      return 'network';
    joining.add(userId);
    if (device !== null) deviceOf.set(device, userId);
    if (network !== null) perNetwork.set(network, ofNetwork + 1);
    return 'join';
  });
}

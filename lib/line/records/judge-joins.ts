import type { LineEntry } from './types';

/** The rules of a sale about joining. */
export type Rules = {
  /** Places that the people of one network may have; 0: any number. */
  placesPerNetwork: number;
  /** Refuses joins after the start, as in a draw. */
  untilStart: boolean;
};

/** Numbers that one account may get in a line: the first, and four more after leaving, letting the turn pass, or another wish. */
const MOST_NUMBERS = 5;

type Wish = { userId: string; variant: number; device: string | null; network: string | null };
/** A place that is still valid. */
export type Standing = LineEntry & { network: string | null };
type Known = {
  /** People whose place is still valid. */
  standing: ReadonlyMap<string, Standing>;
  /** How many numbers an account has had, those that it gave up included. */
  numbersOf: ReadonlyMap<string, number>;
  /** Which account a device's place belongs to. */
  deviceOf: ReadonlyMap<string, string>;
  perNetwork: ReadonlyMap<string, number>;
};
type Verdict = 'join' | 'again' | 'too_often' | 'device' | 'network' | 'closed';

/**
 * Decides who joins, in the order in which they came. A person with a place keeps it, whatever has changed since, unless
 * another variant is wished. Of one account that comes twice at once the first joins.
 */
export function judgeJoins(wishes: readonly Wish[], known: Known, rules: Rules | 'closed'): Verdict[] {
  const joining = new Set<string>();
  const deviceOf = new Map(known.deviceOf);
  const perNetwork = new Map(known.perNetwork);
  return wishes.map(({ userId, variant, device, network }) => {
    const own = known.standing.get(userId);
    if (own?.variant === variant || joining.has(userId)) return 'again';
    if (rules === 'closed') return 'closed';
    if ((known.numbersOf.get(userId) ?? 0) >= MOST_NUMBERS) return 'too_often';
    const holder = device === null ? userId : (deviceOf.get(device) ?? userId);
    if (holder !== userId) return 'device';
    // The place of another wish is given up.
    const ofOthers = (name: string) => (perNetwork.get(name) ?? 0) - (own?.network === name ? 1 : 0);
    const ofNetwork = network === null ? 0 : ofOthers(network);
    if (rules.placesPerNetwork > 0 && network !== null && ofNetwork >= rules.placesPerNetwork)
      return 'network';
    joining.add(userId);
    if (device !== null) deviceOf.set(device, userId);
    if (network !== null) perNetwork.set(network, ofNetwork + 1);
    return 'join';
  });
}

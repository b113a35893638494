/** Looks at the primary that are remembered: ten minutes of one every five seconds. */
const MOST_PLACES = 120;

/**
 * Tells how old a replica's state is, from places in the log: no server's clock is compared with another's.
 * @returns `note` what place the primary has reached (times in ms), and `lagOf` a place that a replica has reached: the
 *   age of the newest state of the primary that it has, between two looks by proportion. Null before the first look, and
 *   the time since the oldest look for one further behind.
 */
export function createLagMeter() {
  let places: { place: number; at: number }[] = [];
  return {
    note(place: number, at: number): void {
      // A primary that was replaced begins a log of its own.
      if (places.some((earlier) => earlier.place > place)) places = [];
      places = [...places.slice(1 - MOST_PLACES), { place, at }];
    },
    lagOf(place: number, now: number): number | null {
      const after = places.findIndex((noted) => noted.place > place);
      const next = places[after];
      if (!next) return places.length > 0 ? 0 : null;
      const before = places[after - 1];
      if (!before) return now - next.at;
      const share = (place - before.place) / (next.place - before.place);
      return Math.max(0, now - (before.at + share * (next.at - before.at)));
    },
  };
}

export type LagMeter = ReturnType<typeof createLagMeter>;

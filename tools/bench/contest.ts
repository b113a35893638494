import type { BenchContext } from './bench-context';
import { ratioRow, type Target } from './report/rows';
import type { FigureReport } from './report/types';

/** Measures one round; round 0 does not count. */
type Contestants = Record<string, (round: number) => Promise<number>>;

type Pair = { figure: string; ours: string; theirs: string; target: Target };

/** Lets contestants take turns, and reports the ratio of each pair of them. */
export async function contest(
  { rounds }: Pick<BenchContext, 'rounds'>,
  contestants: Contestants,
  pairs: readonly Pair[],
  notes: string[] = [],
): Promise<Omit<FigureReport, 'name'>> {
  const samples = await alternate(rounds, contestants);
  const rows = pairs.map(({ figure, ours, theirs, target }) =>
    ratioRow({ figure, ours: samples[ours] ?? [], theirs: samples[theirs] ?? [], target }),
  );
  return { rows, samples, notes };
}

/**
 * Runs one unmeasured round of each contestant, then `rounds` measured ones in turns, in reverse order every second
 * time. So slow changes (heat, neighbours, growing files) affect all contestants alike.
 * @param rounds at least 3. @returns the figure of every round, by name.
 */
export async function alternate(rounds: number, contestants: Contestants): Promise<Record<string, number[]>> {
  if (!(Number.isInteger(rounds) && rounds >= 3)) throw new RangeError(`at least 3 rounds, not ${rounds}`);
  const samples: Record<string, number[]> = {};
  const entries = Object.entries(contestants);
  for (const [name, run] of entries) {
    samples[name] = [];
    await run(0);
  }
  for (let round = 1; round <= rounds; round += 1) {
    const inTurn = round % 2 === 1 ? entries : [...entries].reverse();
    for (const [name, run] of inTurn) samples[name]?.push(await run(round));
  }
  return samples;
}

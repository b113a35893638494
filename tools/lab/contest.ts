import { median } from '@/tools/harness/stats';
import { type Course, type Racer, type Round, race } from './race';
import type { Flaw, Stores, Strategy } from './types';

/** A slow strategy is measured fewer times, so that the whole lab ends within a minute. */
const ROUNDS_BUDGET_MS = 3_000;

/**
 * How many races a strategy gets: `measured` is enough for a median; `most` limits the races in which a flaw may
 * appear by chance.
 */
type Rounds = { measured: number; most: number };

export type Standing = Omit<Round, 'durationMs'> & {
  name: string;
  title: string;
  source: string;
  isCorrect: boolean;
  flaw: Flaw | null;
  processes: number;
  rounds: number;
  /** Buyers answered per second. */
  throughput: number;
  /**
   * True if the strategy behaved as its label says: the correct ones sold exactly the units there were, the broken
   * ones failed visibly.
   */
  isAsLabelled: boolean;
};

/**
 * Races a strategy several times. A broken one goes on until it shows its flaw: chance decides the races, nothing is
 * staged. The speed is the median of the rounds; the stock figures are those of the worst round.
 */
export async function contest(
  strategy: Strategy,
  stores: Stores,
  racers: readonly Racer[],
  course: Course,
  { measured, most }: Rounds,
): Promise<Standing> {
  const rounds: Round[] = [];
  const since = performance.now();
  const hasShown = () => strategy.isCorrect || rounds.some((round) => shows(strategy.flaw, round));
  const isMeasured = () => rounds.length >= measured || performance.now() - since > ROUNDS_BUDGET_MS;
  while (rounds.length < most && !(isMeasured() && hasShown())) {
    rounds.push(await race(strategy, stores, racers, { ...course, seed: course.seed + rounds.length }));
  }
  const worst = rounds.reduce((a, b) => (damage(b) > damage(a) ? b : a));
  const { durationMs: _, ...figures } = worst;
  const expected = Math.min(course.units, course.buyers);
  return {
    ...figures,
    name: strategy.name,
    title: strategy.title,
    source: strategy.source,
    isCorrect: strategy.isCorrect,
    flaw: strategy.isCorrect ? null : strategy.flaw,
    processes: strategy.processes,
    rounds: rounds.length,
    throughput: median(rounds.map(({ durationMs }) => course.buyers / (durationMs / 1_000))),
    p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
    isAsLabelled: strategy.isCorrect ? rounds.every((round) => isSound(round, expected)) : hasShown(),
  };
}

/** Tells whether a round sold exactly the units there were, and the counter agrees. */
export function isSound(round: Round, expected: number): boolean {
  return round.accepted === expected && round.orders === expected && damage(round) === 0;
}

/** Tells whether a round's figures clearly show this flaw. */
export function shows(flaw: Flaw, round: Round): boolean {
  switch (flaw) {
    case 'oversells':
      return round.oversold > 0;
    case 'drifts':
      return round.drift !== 0 || round.lowestStock < 0;
    case 'undersells':
      return round.unsold > 0 && round.busy > 0;
  }
}

/** Returns how wrong a round went, in units; used to find the worst one. */
function damage({ oversold, unsold, drift, lowestStock }: Round): number {
  return oversold + unsold + Math.abs(drift) + Math.max(0, -lowestStock);
}

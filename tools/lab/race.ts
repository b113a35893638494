import { join } from 'node:path';
import { type AskedProcess, startAskedProcess } from '@/tools/harness/asked-process';
import { percentile } from '@/tools/harness/stats';
import type { Order } from './racer';
import type { Report } from './run-buyers';
import { shuffle } from './shuffle';
import type { Outcome, Stores, Strategy } from './types';

export type Racer = AskedProcess<Order, Report | null>;

/** Starts a racing process, which runs many races. */
export const startRacer = (): Racer =>
  startAskedProcess(join(import.meta.dirname, 'racer.ts'), {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
  });

export type Course = {
  buyers: number;
  units: number;
  /** Number of buyers under way at any moment, over all processes. */
  concurrency: number;
  seed: number;
};

/** The figures of one race. Times in ms. */
export type Round = {
  accepted: number;
  soldOut: number;
  busy: number;
  durationMs: number;
  p50Ms: number;
  p99Ms: number;
  stock: number;
  orders: number;
  /** Orders beyond the available units. */
  oversold: number;
  /** Units left unsold though enough buyers asked for them. */
  unsold: number;
  /** Units that the counter shows as sold, minus the number of orders; 0 when they agree. */
  drift: number;
  /** Lowest value of the stock counter that any buyer saw. */
  lowestStock: number;
};

/**
 * Runs one race of one strategy on running processes. Sets up the stores again each time, so that races don't
 * influence each other.
 */
export async function race(
  strategy: Strategy,
  stores: Stores,
  racers: readonly Racer[],
  course: Course,
): Promise<Round> {
  const team = racers.slice(0, strategy.processes);
  if (team.length < strategy.processes)
    throw new Error(`${strategy.name} takes ${strategy.processes} processes`);
  const organiser = strategy.create(stores);
  try {
    await organiser.setUp(course.units);
    await Promise.all(team.map((racer) => racer.ask({ strategy: strategy.name, stores })));
    const userIds = shuffle(
      Array.from({ length: course.buyers }, (_, i) => `buyer_${i}`),
      course.seed,
    );
    const concurrency = Math.ceil(course.concurrency / team.length);
    const reports = await Promise.all(
      team.map((racer, lane) => {
        const share = userIds.filter((_, i) => i % team.length === lane);
        return racer.ask({ userIds: share, concurrency }) as Promise<Report>;
      }),
    );
    return measure(reports, await organiser.readOutcome(), course);
  } finally {
    await organiser.tearDown();
  }
}

/** Adds up the reports of the processes and compares them with the contents of the stores. */
export function measure(reports: readonly Report[], outcome: Outcome, { units, buyers }: Course): Round {
  const sum = (answer: keyof Report['answers']) =>
    reports.reduce((total, { answers }) => total + answers[answer], 0);
  const latencies = reports.flatMap(({ latenciesMs }) => latenciesMs);
  const { stock, orders } = outcome;
  return {
    accepted: sum('accepted'),
    soldOut: sum('sold_out'),
    busy: sum('busy'),
    durationMs:
      Math.max(...reports.map(({ endedAt }) => endedAt)) -
      Math.min(...reports.map(({ startedAt }) => startedAt)),
    p50Ms: percentile(latencies, 50),
    p99Ms: percentile(latencies, 99),
    stock,
    orders,
    oversold: Math.max(0, orders - units),
    unsold: Math.max(0, Math.min(units, buyers) - orders),
    drift: units - stock - orders,
    lowestStock: Math.min(stock, ...reports.map(({ lowestStock }) => lowestStock ?? stock)),
  };
}

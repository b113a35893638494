import type { Answer, Stores } from './types';

/** Orders that the organiser gives to a racing process. */
export type Order =
  | { type: 'line_up'; strategy: string; stores: Stores }
  | { type: 'go'; userIds: string[]; concurrency: number };

/** One process's report about a race. */
export type Report = {
  answers: Record<Answer, number>;
  latenciesMs: number[];
  /** Lowest stock counter that any of its buyers saw; null if the strategy doesn't show it. */
  lowestStock: number | null;
  /** Epoch ms with fractions, so that processes of one machine can be compared. */
  startedAt: number;
  endedAt: number;
};

/** Answers of a racing process. */
export type Word =
  | { type: 'ready' }
  | { type: 'finished'; report: Report }
  | { type: 'failed'; message: string };

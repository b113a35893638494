import type { Answer, Stores } from './types';

/** What the organiser tells a racing process. */
export type Order =
  | { type: 'line_up'; strategy: string; stores: Stores }
  | { type: 'go'; userIds: string[]; concurrency: number };

/** What one process saw of a race. */
export type Report = {
  answers: Record<Answer, number>;
  latenciesMs: number[];
  /** Lowest stock counter any of its buyers saw; null if the strategy doesn't show it. */
  lowestStock: number | null;
  /** Epoch ms with fractions: comparable between processes of one machine. */
  startedAt: number;
  endedAt: number;
};

/** What a racing process answers. */
export type Word =
  | { type: 'ready' }
  | { type: 'finished'; report: Report }
  | { type: 'failed'; message: string };

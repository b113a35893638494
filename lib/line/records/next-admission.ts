import { type AdmissionStep, TURN_MS, WORKER_AWAY_AFTER_MS } from './types';

/** The knowledge of a worker that looks after a waiting room. Times in ms, rates a second. */
export type LineSituation = {
  now: number;
  /** When a worker last did; null: never. */
  tendedAt: number | null;
  admitted: number;
  lapsed: number;
  steps: readonly AdmissionStep[];
  /** People behind `admitted` who have not left. */
  waiting: number;
  /** People who were admitted and may still take a unit. */
  outstanding: number;
  /** Units nobody has; −1: no limit. */
  available: number;
  /** Units one person may take. */
  limitPerUser: number;
  /** How busy the busiest web process is, 0 … 1; null: unknown. */
  busy: number | null;
  machineRate: number;
  credit: number;
  perMinute: number | null;
  held: boolean;
  opened: boolean;
  /** The sale can't sell just now: paused, or its stock can't be reached. */
  isStopped: boolean;
};

type Admission = {
  /** How many more people to admit. */
  admit: number;
  lapsed: number;
  /** The steps so far, moved where time stood still. */
  steps: AdmissionStep[];
  /** For how long time has stood still since a worker last looked, ms. */
  standsMs: number;
  machineRate: number;
  credit: number;
};

/** Below this the machines may be given more, above the next less; side features go from 0.9 on. */
const EASY = 0.6;
const HARD = 0.8;
const LEAST_RATE = 1;
const MOST_RATE = 5_000;
const MORE_PER_SEC = 25;
const LESS_FACTOR = 0.7;
/** The longest time without admissions that is made up for later: more would be a rush. */
const MOST_SAVED_MS = 1_000;

/**
 * Decides how many more people may enter, and whose turn is over. The units must suffice for all who are in, each with
 * the most that one person may have. The rate is at most the merchant's, and at most the machines': it grows by
 * addition while they are idle enough and shrinks by a factor when they are busy.
 */
export function nextAdmission(seen: LineSituation): Admission {
  const { now, tendedAt, available, limitPerUser, outstanding } = seen;
  const gapMs = tendedAt === null ? 0 : Math.max(0, now - tendedAt);
  const standsMs = seen.isStopped || gapMs > WORKER_AWAY_AFTER_MS ? gapMs : 0;
  const steps = seen.steps.map(([at, admitted]): AdmissionStep => [at + standsMs, admitted]);
  const lapsed = Math.max(seen.lapsed, lapsedAt(steps, now));
  const ranMs = standsMs > 0 ? 0 : gapMs;
  const machineRate = nextRate(seen, ranMs);
  const kept = { lapsed, steps: keepSteps(steps, now), standsMs, machineRate };
  if (seen.isStopped || (seen.held && !seen.opened)) return { ...kept, admit: 0, credit: 0 };
  if (seen.opened) return { ...kept, admit: seen.waiting, credit: 0 };
  const rate = seen.perMinute === null ? machineRate : Math.min(machineRate, seen.perMinute / 60);
  const saved = Math.max(1, (rate * MOST_SAVED_MS) / 1_000);
  const credit = Math.min(saved, seen.credit + (tendedAt === null ? saved : (rate * ranMs) / 1_000));
  const room = roomFor(available, limitPerUser) - outstanding;
  const admit = Math.max(0, Math.min(Math.floor(credit), room, seen.waiting));
  return { ...kept, admit, credit: credit - admit };
}

/** How many people may stand before these units at once. */
export function roomFor(available: number, limitPerUser: number): number {
  if (available === -1) return Number.POSITIVE_INFINITY;
  return available <= 0 ? 0 : Math.max(1, Math.floor(available / limitPerUser));
}

/** Returns what `admitted` was two minutes ago. */
const lapsedAt = (steps: readonly AdmissionStep[], now: number): number =>
  steps.findLast(([at]) => at <= now - TURN_MS)?.[1] ?? 0;

/** Forgets steps before the one that `lapsed` stands for. */
function keepSteps(steps: readonly AdmissionStep[], now: number): AdmissionStep[] {
  const first = steps.findLastIndex(([at]) => at <= now - TURN_MS);
  return steps.slice(Math.max(0, first));
}

function nextRate({ busy, machineRate }: LineSituation, ranMs: number): number {
  if (busy === null) return machineRate;
  if (busy >= HARD) return Math.max(LEAST_RATE, machineRate * LESS_FACTOR ** (ranMs / 1_000));
  if (busy <= EASY) return Math.min(MOST_RATE, machineRate + (MORE_PER_SEC * ranMs) / 1_000);
  return machineRate;
}

import type { ScoreInput } from '@/lib/contract/words/risk';
import { MAX_SCORE } from '@/lib/contract/words/risk';
import type { ScorePart } from './types';

/** What is known of somebody who enters a sale or joins a line. A fact left out is unknown and counts for nothing. */
export type ScoreFacts = {
  accountAgeSec?: number;
  isEmailVerified?: boolean;
  /** False: the browser has not yet sent our cookie back. */
  isDeviceKnown?: boolean;
  deviceAgeSec?: number;
  /** Accounts that entered or joined from this device within a day, this one included. */
  deviceAccounts?: number;
  /** … from this address, and how many of those were less than a day old. */
  networkAccounts?: number;
  networkNewAccounts?: number;
  /** Entries, joins and challenges that the account asked this process for within a minute. */
  triesAMinute?: number;
  /** No browser that we know sends such headers. */
  isBrowserOdd?: boolean;
};

const HOUR_SEC = 3_600;
export const DAY_SEC = 86_400;
const NEW_DEVICE_SEC = 600;

/** Points from so much on: `[more than, points]`, the last that fits. */
type Steps = readonly (readonly [above: number, points: number])[];

/**
 * The whole table of points. What everybody has once (a new account, a first visit) stays below the first grade that we
 * ship, 40, even all together. A family on one tablet (3 accounts) and an office of established accounts behind one
 * address add nothing or little; crowds of accounts made today, on one device or behind one address, add most.
 */
const POINTS = {
  accountNew: { withinHour: 10, withinDay: 5 },
  emailUnverified: 5,
  deviceUnknown: 10,
  deviceNew: 5,
  browserOdd: 10,
  deviceAccounts: [
    [3, 20],
    [4, 35],
    [5, 50],
    [7, 70],
  ],
  networkAccounts: [
    [1_000, 5],
    [5_000, 10],
  ],
  networkNewAccounts: [
    [20, 15],
    [100, 30],
    [500, 45],
  ],
  pace: [
    [20, 10],
    [60, 20],
  ],
} as const satisfies Record<string, number | Record<string, number> | Steps>;

/**
 * Adds up how suspicious somebody looks.
 * @returns a score from 0 (nothing) to 100, and what it is made of, most points first
 */
export function scoreOf(facts: ScoreFacts): { score: number; why: ScorePart[] } {
  const points = {
    account_new: ofAccount(facts.accountAgeSec),
    email_unverified: facts.isEmailVerified === false ? POINTS.emailUnverified : 0,
    device_unknown: facts.isDeviceKnown === false ? POINTS.deviceUnknown : 0,
    device_new: (facts.deviceAgeSec ?? NEW_DEVICE_SEC) < NEW_DEVICE_SEC ? POINTS.deviceNew : 0,
    device_accounts: step(POINTS.deviceAccounts, facts.deviceAccounts),
    network_accounts: step(POINTS.networkAccounts, facts.networkAccounts),
    // An established account does not answer for its neighbours.
    network_new_accounts: isNewAccount(facts) ? step(POINTS.networkNewAccounts, facts.networkNewAccounts) : 0,
    pace: step(POINTS.pace, facts.triesAMinute),
    browser_odd: facts.isBrowserOdd ? POINTS.browserOdd : 0,
  } satisfies Record<ScoreInput, number>;
  const why = (Object.entries(points) as [ScoreInput, number][])
    .filter(([, each]) => each > 0)
    .map(([input, each]) => ({ input, points: each }))
    .sort((a, b) => b.points - a.points);
  return {
    score: Math.min(
      MAX_SCORE,
      why.reduce((sum, part) => sum + part.points, 0),
    ),
    why,
  };
}

/** Tells whether an account is less than a day old; false if that is unknown. */
export const isNewAccount = ({ accountAgeSec = DAY_SEC }: ScoreFacts): boolean => accountAgeSec < DAY_SEC;

function ofAccount(ageSec = DAY_SEC): number {
  if (ageSec < HOUR_SEC) return POINTS.accountNew.withinHour;
  return ageSec < DAY_SEC ? POINTS.accountNew.withinDay : 0;
}

const step = (steps: Steps, count = 0): number => steps.findLast(([above]) => count > above)?.[1] ?? 0;

import 'server-only';
import { nowMs } from '@/lib/clock';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';
import { timeOfId } from '@/lib/ids/new-id';
import { countCompany } from '@/lib/risk/count-company';
import { countTry } from '@/lib/risk/count-try';
import { noteScore } from '@/lib/risk/noted';
import { isNewAccount, type ScoreFacts, scoreOf } from '@/lib/risk/score';
import type { RiskSubjects } from '@/lib/risk/types';
import { knownRisk } from '@/lib/risk/watch-risk';
import { workForScore } from '@/lib/risk/work-for-score';
import type { Member } from '@/lib/sale/find-unmet-threshold';
import { isOn } from '@/lib/switchboard/is-on';
import type { Requester } from './limit-request';
import { subjectsOf } from './risk-of';

/** Somebody who enters or joins, with what is known; what is left out counts for nothing. */
export type Scored = Requester & Partial<Member> & { isBrowserOdd?: boolean };

/** How long a Redis that was found down is not asked again, so that no further entry waits for it. */
const LEAVE_ALONE_MS = 1_000;
let askAgainAt = 0;

/**
 * Scores somebody who enters or joins, and tells how hard a calculation the risk rules ask of such a score. The score is
 * noted, so that each hit is on record with what it was made of. Not for purchases: they were scored when they entered.
 *
 * While Redis can't be reached the score lacks what is counted there and stays below the rules we ship: nobody is asked
 * for a calculation that could not be given out then.
 * @returns bits, or null: no calculation. Null while risk rules or calculations are switched off, and for load-test users
 */
export async function workOf(saleId: string, scored: Scored): Promise<number | null> {
  const subjects = subjectsOf(scored);
  const { rules, counted } = knownRisk();
  if (subjects.user === '' || !counted.has('score') || !isOn('risk') || !isOn('challenge_pow')) return null;
  const facts = await gather(subjects, scored);
  const { score, why } = scoreOf(facts);
  noteScore(subjects.user, saleId, score, why);
  return workForScore(rules, score);
}

async function gather(
  subjects: RiskSubjects,
  { createdAt, emailVerifiedAt, device, isBrowserOdd }: Scored,
): Promise<ScoreFacts> {
  const now = nowMs();
  const since = device ? timeOfId(device) : null;
  const facts: ScoreFacts = {
    accountAgeSec: createdAt === undefined ? undefined : (now - createdAt) / 1_000,
    isEmailVerified: emailVerifiedAt === undefined ? undefined : emailVerifiedAt !== null,
    isDeviceKnown: device === undefined ? undefined : device !== '',
    deviceAgeSec: since === null ? undefined : (now - since) / 1_000,
    isBrowserOdd,
    triesAMinute: countTry(subjects.user),
  };
  return { ...facts, ...(await count(subjects, isNewAccount(facts))) };
}

async function count(subjects: RiskSubjects, isNew: boolean): Promise<ScoreFacts> {
  if (performance.now() < askAgainAt) return {};
  try {
    return await countCompany(subjects, isNew);
  } catch (err) {
    if (!isOutage(err)) throw err;
    askAgainAt = performance.now() + LEAVE_ALONE_MS;
    log.warn({ err }, 'scores lack what Redis counts');
    return {};
  }
}

import 'server-only';
import { type SpentCode, spendCode } from '@/lib/account/factors/spend-code';
import type { CurrentUser } from '@/lib/account/types';
import { countSignIn } from '@/lib/metrics/sign-in-meter';
import { tellOwner } from '@/lib/notify/tell-owner';
import { keys } from '@/lib/redis/keys';
import { noteEvent } from '@/lib/security/note-event';
import { claimTry, settleTry, unlessThrown } from '@/lib/tries/claim-try';
import { hashSubject } from '@/lib/tries/hash-subject';
import type { ClaimResult, TryCounter } from '@/lib/tries/types';
import type { Caller } from './caller';

const DAY_MS = 86_400_000;
const FREE_TRIES = 5;

/**
 * The source of a code: a browser that has passed this second factor before (`id` from `knownAs`), any other one that has
 * given the password, or a session (`id`).
 */
export type CodeSource = { from: 'known' | 'session'; id: string } | { from: 'unknown' };

type Owner = { userId: string; email: string; locale: string };

export type FactorResult =
  | { status: 'right'; kind: SpentCode }
  | { status: 'wrong' }
  /** Too many failures; no code was checked. */
  | { status: 'limited'; waitMs: number };

/**
 * Asks whether an account's code may be tried now. All unknown browsers share one counter, whatever their address: six
 * digits would not withstand guessing from many. Only a client with the password gets here, and it makes only unknown
 * browsers wait, never those of the owner.
 */
export function claimCode(userId: string, source: CodeSource): Promise<ClaimResult> {
  const counter: TryCounter = {
    key: keys.tries('second-step', source.from, hashSubject(userId, 'id' in source ? source.id : '')),
    kind: 'ahead',
    free: FREE_TRIES,
    keepMs: DAY_MS,
  };
  return claimTry([counter]);
}

/**
 * Checks a code of an account's second factor, and uses it up. Failures cost growing waits and are in the security log;
 * their owner gets a mail after the fifth.
 * @throws connection errors; then the code may have been used
 */
export async function checkFactor(
  owner: Owner,
  code: string,
  source: CodeSource,
  { address }: Caller,
): Promise<FactorResult> {
  const { userId } = owner;
  const claimed = await claimCode(userId, source);
  if (claimed.status === 'wait') {
    countSignIn('limited');
    return { status: 'limited', waitMs: claimed.waitMs };
  }
  const kind = await unlessThrown(claimed.claim, spendCode(userId, code));
  const failures = await settleTry(claimed.claim, kind ? 'succeeded' : 'failed');
  if (kind) return { status: 'right', kind };
  countSignIn('wrong');
  noteEvent({
    action: 'factor.refuse',
    actor: { userId: 'system', role: 'system' },
    subject: { kind: 'user', id: userId },
    facts: { address: address ?? '' },
  });
  if ((failures?.[0] ?? 0) >= FREE_TRIES) await tellOfGuesses(owner);
  return { status: 'wrong' };
}

export type OwnFactorResult =
  | { status: 'right' }
  /** The password is right; the code is not. */
  | { status: 'code_wrong' }
  /** Too many wrong codes; the password is right. */
  | { status: 'code_limited'; waitMs: number };

/** Checks a code of the account of a session that has just given its password; otherwise as `checkFactor`. */
export async function checkOwnFactor(
  user: CurrentUser,
  code: string,
  caller: Caller,
): Promise<OwnFactorResult> {
  const checked = await checkFactor(user, code, { from: 'session', id: user.session.id }, caller);
  switch (checked.status) {
    case 'right':
      return { status: 'right' };
    case 'wrong':
      return { status: 'code_wrong' };
    case 'limited':
      return { status: 'code_limited', waitMs: checked.waitMs };
  }
}

/** Tells the owner once a day at most: of several guesses at once, each sees all of them counted. */
async function tellOfGuesses(owner: Owner): Promise<void> {
  const key = keys.tries('second-step', 'mail', hashSubject(owner.userId));
  const once: TryCounter = { key, kind: 'ahead', free: 1, baseMs: DAY_MS, maxMs: DAY_MS, keepMs: DAY_MS };
  if ((await claimTry([once])).status === 'go') void tellOwner('codesGuessed', owner);
}

import 'server-only';
import { type SpentCode, spendCode } from '@/lib/account/factors/spend-code';
import { spendPasskey } from '@/lib/account/factors/spend-passkey';
import type { CurrentUser } from '@/lib/account/types';
import type { FactorProof } from '@/lib/contract/shapes/factor';
import { countSignIn } from '@/lib/metrics/sign-in-meter';
import { tellOwner } from '@/lib/notify/tell-owner';
import { keys } from '@/lib/redis/keys';
import { noteEvent } from '@/lib/security/note-event';
import { claimTry, settleTry, unlessThrown } from '@/lib/tries/claim-try';
import { hashSubject } from '@/lib/tries/hash-subject';
import type { ClaimResult, TryCounter } from '@/lib/tries/types';
import type { Caller } from './caller';
import { readChallenge } from './passkey-cookie';

const DAY_MS = 86_400_000;
const FREE_TRIES = 5;

/**
 * The source of a code: a browser that has passed this second factor before (`id` from `knownAs`), any other one that has
 * given the password, or a session (`id`).
 */
export type CodeSource = { from: 'known' | 'session'; id: string } | { from: 'unknown' };

type Owner = { userId: string; email: string; locale: string };

/** The second factor that was right. */
export type SpentFactor = SpentCode | 'passkey';

export type FactorResult =
  | { status: 'right'; kind: SpentFactor }
  | { status: 'wrong' }
  /** Too many failures; nothing was checked. */
  | { status: 'limited'; waitMs: number };

/**
 * Asks whether an account's code may be tried now. All unknown browsers share one counter, whatever their address: six
 * digits would not withstand guessing from many. Only a client that has taken the first step gets here, and it makes only unknown
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
 * Checks a code of an account's second factor, or in a session the answer of one of its passkeys, and uses it up. Failures
 * cost growing waits and are in the security log; their owner gets a mail after the fifth.
 * @throws connection errors; then the factor may have been used
 */
export async function checkFactor(
  owner: Owner,
  proof: FactorProof,
  source: CodeSource,
  { address, headers }: Caller,
): Promise<FactorResult> {
  const { userId } = owner;
  const claimed = await claimCode(userId, source);
  if (claimed.status === 'wait') {
    countSignIn('limited');
    return { status: 'limited', waitMs: claimed.waitMs };
  }
  const spent = await unlessThrown(claimed.claim, spend(userId, proof, source, headers));
  const failures = await settleTry(claimed.claim, spent.kind ? 'succeeded' : 'failed');
  if (spent.kind) return { status: 'right', kind: spent.kind };
  noteWrongFactor(userId, address, spent.isStale);
  if ((failures?.[0] ?? 0) >= FREE_TRIES) await tellOfGuesses(owner);
  return { status: 'wrong' };
}

async function spend(
  userId: string,
  { code, passkey }: FactorProof,
  source: CodeSource,
  headers: Headers,
): Promise<{ kind: SpentFactor | null; isStale?: boolean }> {
  if (code !== undefined) return { kind: await spendCode(userId, code) };
  if (!passkey || source.from !== 'session') return { kind: null };
  const challenge = readChallenge(headers.get('cookie'), 'session', source.id);
  if (!challenge) return { kind: null };
  const { status } = await spendPasskey(passkey, challenge, userId);
  return { kind: status === 'right' ? 'passkey' : null, isStale: status === 'stale' };
}

/**
 * Counts a wrong code or passkey, and notes it in the security log.
 * @param userId null: no account has this passkey
 * @param isStale the passkey is right, but its challenge was answered before, or there is a copy of it
 */
export function noteWrongFactor(userId: string | null, address: string | null, isStale = false): void {
  countSignIn('wrong');
  noteEvent({
    action: 'factor.refuse',
    actor: { userId: 'system', role: 'system' },
    subject: userId === null ? { kind: 'account', id: 'unknown' } : { kind: 'user', id: userId },
    facts: { address: address ?? '', ...(isStale ? { why: 'stale passkey' } : {}) },
  });
}

export type OwnFactorResult =
  | { status: 'right' }
  | { status: 'code_wrong' }
  | { status: 'passkey_wrong' }
  /** Too many wrong codes and passkeys. */
  | { status: 'code_limited'; waitMs: number };

/** Checks a second factor of a session's own account, as `checkFactor` does. */
export async function checkOwnFactor(
  user: CurrentUser,
  proof: FactorProof,
  caller: Caller,
): Promise<OwnFactorResult> {
  const checked = await checkFactor(user, proof, { from: 'session', id: user.session.id }, caller);
  switch (checked.status) {
    case 'right':
      return { status: 'right' };
    case 'wrong':
      return { status: proof.passkey ? 'passkey_wrong' : 'code_wrong' };
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

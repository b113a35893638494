import 'server-only';
import { spendCode } from '@/lib/account/factors/spend-code';
import { spendPasskey } from '@/lib/account/factors/spend-passkey';
import type { FactorProof } from '@/lib/contract/shapes/factor';
import { db } from '@/lib/db/client';
import { keys } from '@/lib/redis/keys';
import { noteEvent } from '@/lib/security/note-event';
import { claimTry, settleTry, unlessThrown } from '@/lib/tries/claim-try';
import { hashSubject } from '@/lib/tries/hash-subject';
import type { ClaimResult, TryCounter } from '@/lib/tries/types';
import type { Caller } from './caller';
import type { Challenge } from './passkey-cookie';

const DAY_MS = 86_400_000;

/**
 * Who brings a code: a browser that has signed in to the account before (`knownAs`), any other that has the password,
 * or a session of the account.
 */
export type CodeBringer = { from: 'known'; knownAs: string } | { from: 'unknown' } | { from: 'session' };

export type FactorResult =
  | { status: 'right'; kind: 'totp' | 'recovery' | 'passkey' }
  | { status: 'wrong' }
  /** Too many failures; nothing was checked. */
  | { status: 'limited'; waitMs: number };

/**
 * Asks whether an account's code may be tried now. Each group has one counter for the account, whatever the address:
 * six digits stand no guessing from many addresses. Nobody gets here without the password, and even who has it makes
 * only unknown browsers wait, not those in which the owner has signed in before.
 */
export function claimCode(userId: string, bringer: CodeBringer): Promise<ClaimResult> {
  const subject = bringer.from === 'known' ? [userId, bringer.knownAs] : [userId];
  const counter: TryCounter = {
    key: keys.tries('second-step', bringer.from, hashSubject(...subject)),
    kind: 'ahead',
    free: 5,
    keepMs: DAY_MS,
  };
  return claimTry([counter]);
}

/**
 * Checks a code of an account's second factor, or what a passkey of the account answers, and uses it up. Failures cost
 * growing waits and stand in the security log.
 * @param challenge that the browser got for its passkey; null: none that is good
 * @throws connection errors
 */
export async function checkFactor(
  userId: string,
  proof: FactorProof,
  { bringer, challenge }: { bringer: CodeBringer; challenge: Challenge | null },
  { address }: Caller,
): Promise<FactorResult> {
  const claimed = await claimCode(userId, bringer);
  if (claimed.status === 'wait') return { status: 'limited', waitMs: claimed.waitMs };
  const spent = await unlessThrown(claimed.claim, spend(userId, proof, challenge));
  await settleTry(claimed.claim, spent.kind ? 'succeeded' : 'failed');
  if (spent.kind) return { status: 'right', kind: spent.kind };
  noteWrongFactor(userId, address, spent.isStale);
  return { status: 'wrong' };
}

type Spent = { kind: 'totp' | 'recovery' | 'passkey' | null; isStale?: boolean };

async function spend(userId: string, proof: FactorProof, challenge: Challenge | null): Promise<Spent> {
  if (proof.code !== undefined) return { kind: await spendCode(db(), userId, proof.code) };
  if (!proof.passkey || !challenge) return { kind: null };
  const { status } = await spendPasskey(db(), userId, proof.passkey, challenge);
  return { kind: status === 'right' ? 'passkey' : null, isStale: status === 'stale' };
}

/**
 * Notes in the security log that somebody brought a wrong code or passkey.
 * @param userId null: nobody's passkey
 * @param isStale the passkey is right, but has signed less often than before or has answered before
 */
export function noteWrongFactor(userId: string | null, address: string | null, isStale = false): void {
  noteEvent({
    action: 'factor.refuse',
    actor: { userId: 'system', role: 'system' },
    subject: userId === null ? { kind: 'account', id: 'unknown' } : { kind: 'user', id: userId },
    facts: { address: address ?? '', ...(isStale ? { why: 'stale passkey' } : {}) },
  });
}

import 'server-only';
import type { FactorProof } from '@/lib/contract/shapes/factor';
import { db } from '@/lib/db/client';
import { knownAs } from '@/lib/device/known-accounts';
import type { User } from '@/prisma/generated/client';
import type { Caller } from './caller';
import { checkFactor, type FactorResult } from './check-factor';
import { mailFactorChanged } from './mail-factor-changed';
import { boundToAccount, readChallenge } from './passkey-cookie';
import { type Welcomed, welcome } from './sign-in';
import { readStep } from './step-cookie';

export type FinishResult =
  | Welcomed
  /** The browser brings no proof of the password, it has run out, or the account has changed since. */
  | { status: 'over' }
  | Exclude<FactorResult, { status: 'right' }>;

/**
 * The second step of a sign-in: begins the session of a browser that has given the password (`writeStep`) and now a code,
 * or the answer of a passkey. Before this no session exists.
 * @throws connection errors. Then the code may have been used
 */
export async function finishSignIn(proof: FactorProof, caller: Caller): Promise<FinishResult> {
  const cookies = caller.headers.get('cookie');
  const user = await findProved(cookies);
  if (!user) return { status: 'over' };
  const known = knownAs(cookies, user.email);
  const bringer = known === null ? { from: 'unknown' as const } : { from: 'known' as const, knownAs: known };
  const challenge = readChallenge(cookies, 'second-step', boundToAccount(user));
  const checked = await checkFactor(user.id, proof, { bringer, challenge }, caller);
  if (checked.status !== 'right') return checked;
  if (checked.kind === 'recovery') void mailFactorChanged(user, 'recoveryCodeUsed');
  return welcome(user, caller);
}

/** Finds the account whose password a browser has given a moment ago. */
export async function findProved(cookies: string | null): Promise<User | null> {
  const step = readStep(cookies);
  if (!step) return null;
  const user = await db().user.findUnique({ where: { id: step.userId } });
  return user && user.bannedAt === null && user.secondFactorAt !== null && step.isFor(user) ? user : null;
}

import 'server-only';
import { rememberLocale } from '@/lib/account/remember-locale';
import { db } from '@/lib/db/client';
import { knownAs } from '@/lib/device/known-accounts';
import { tellOwner } from '@/lib/notify/tell-owner';
import type { User } from '@/prisma/generated/client';
import type { Caller } from './caller';
import { checkFactor, type FactorResult } from './check-factor';
import { type BegunSession, beginSession, factorName } from './sign-in';
import { readStep } from './step-cookie';

export type FinishResult =
  | BegunSession
  /** The browser has not taken the first step, or too long ago; or the account has changed since. */
  | { status: 'over' }
  | Exclude<FactorResult, { status: 'right' }>;

/**
 * Takes the second step of a sign-in: begins the session of a browser that has taken the first step
 * (`writeStep`) and now gives a code. Before this no session exists.
 * @param given `locale` of the page: ignored unless it is a language of the shop
 * @throws connection errors; then the code may have been used
 */
export async function finishSignIn(
  given: { code: string; locale?: unknown },
  caller: Caller,
): Promise<FinishResult> {
  const cookies = caller.headers.get('cookie');
  const user = await findProved(cookies);
  if (!user) return { status: 'over' };
  const owner = { userId: user.id, email: user.email, locale: user.locale };
  const known = knownAs(cookies, factorName(user));
  const source = known === null ? { from: 'unknown' as const } : { from: 'known' as const, id: known };
  const checked = await checkFactor(owner, { code: given.code }, source, caller);
  if (checked.status !== 'right') return checked;
  if (checked.kind === 'recovery') void tellOwner('recoveryCodeUsed', owner);
  await rememberLocale(user, given.locale);
  return beginSession(user, caller, checked.kind);
}

/** Finds the account for which a browser has just taken the first step. */
async function findProved(cookies: string | null): Promise<(User & { secondFactorAt: Date }) | null> {
  const step = readStep(cookies);
  if (!step) return null;
  const user = await db().user.findUnique({ where: { id: step.userId } });
  if (!user || user.bannedAt !== null || !step.isFor(user)) return null;
  const { secondFactorAt } = user;
  return secondFactorAt && { ...user, secondFactorAt };
}

import 'server-only';
import { type VerifyEmailResult, verifyEmail } from '@/lib/account/verify-email';
import { settleTry, unlessThrown } from '@/lib/tries/claim-try';
import { type Caller, countedOf } from './caller';
import { claimRequest } from './claim-request';

/** Redeems the token of a mail's link. A client that tries wrong links has to wait longer and longer. */
export async function redeemVerification(
  token: string,
  caller: Caller,
): Promise<{ status: VerifyEmailResult } | { status: 'limited'; waitMs: number }> {
  const claimed = await claimRequest('verification-link', countedOf(caller));
  if (claimed.status === 'wait') return { status: 'limited', waitMs: claimed.waitMs };
  const status = await unlessThrown(claimed.claim, verifyEmail(token));
  if (status !== 'invalid') await settleTry(claimed.claim, 'void');
  return { status };
}

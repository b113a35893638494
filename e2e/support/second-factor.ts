import { totpCode } from '../../lib/account/factors/totp';
import { newVerifiedShopper, type Shopper } from './accounts';
import type { Answer } from './client';

const STEP_MS = 30_000;

/** Returns the code of the step after this one: good for half a minute at least, although the present one was used. */
export const nextCode = (secret: string): string => totpCode(secret, Date.now() + STEP_MS);

/** Makes a shopper whose account has an app for one-time codes; the app's present code has been used. */
export async function newShopperWithApp(): Promise<
  Shopper & { secret: string; recoveryCodes: string[]; confirmed: Answer }
> {
  const shopper = await newVerifiedShopper();
  const { client, password } = shopper;
  const begun = await client.post('/api/account/factors/totp', { currentPassword: password });
  const secret = String(begun.body.secret);
  const confirmed = await client.post('/api/account/factors/totp/confirm', { code: totpCode(secret) });
  return { ...shopper, secret, recoveryCodes: confirmed.body.recoveryCodes as string[], confirmed };
}

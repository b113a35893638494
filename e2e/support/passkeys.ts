import type { Page } from '@playwright/test';
import type { PasskeyWish } from '../../lib/contract/shapes/passkey';
import { softPasskey } from '../../test/support/soft-passkey';
import { newVerifiedShopper, type Shopper } from './accounts';
import { baseUrl } from './base-url';
import type { Answer } from './client';

/** Gives a page's browser an authenticator that keeps passkeys, and takes anybody for its user. */
export async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Makes a shopper who is about to add a passkey. */
export async function newShopperWithWish(): Promise<Shopper & { begun: Answer }> {
  const shopper = await newVerifiedShopper();
  const body = { currentPassword: shopper.password };
  return { ...shopper, begun: await shopper.client.post('/api/account/factors/passkeys', body) };
}

/** Makes a shopper whose account has a passkey, which no browser has. */
export async function newShopperWithPasskey(): Promise<Shopper & { added: Answer }> {
  const shopper = await newShopperWithWish();
  const { origin, hostname } = new URL(baseUrl);
  const wish = shopper.begun.body as unknown as PasskeyWish;
  const passkey = softPasskey({ origin, rpId: hostname }).make(wish);
  const body = { name: 'My phone', passkey };
  return { ...shopper, added: await shopper.client.post('/api/account/factors/passkeys/add', body) };
}

import 'server-only';
import { env } from '@/lib/env';
import { log } from '@/lib/http/log';
import type { OpenIdProvider } from '@/lib/open-id/create-provider';
import { OpenIdError } from '@/lib/open-id/types';
import type { Wanted } from './lead-to';
import { bindingOf, newFlow, type OpenIdFlow, writeFlow } from './open-id-flow';

type BeginResult =
  | { status: 'begun'; address: string; setCookie: string }
  /** The server doesn't answer, or says something that can't be. */
  | { status: 'away' };

/** Where the other server sends browsers back to: our public address, whatever name a request used. */
export const openIdReturn = (): string => new URL('/api/auth/callback/openid', env().publicUrl).href;

/**
 * Begins a sign-in by another server, bound to the browser that gets the cookie.
 * @param link the session that joins the sign-in to its account; null: somebody signs in
 */
export async function beginOpenId(
  provider: OpenIdProvider,
  wanted: Wanted,
  link: OpenIdFlow['link'] = null,
): Promise<BeginResult> {
  const flow = newFlow({ ...wanted, issuer: provider.settings.issuer, link });
  const { challenge, ...binding } = bindingOf(flow);
  try {
    const address = await provider.begin(binding, challenge, openIdReturn());
    return { status: 'begun', address, setCookie: writeFlow(flow) };
  } catch (error) {
    if (!(error instanceof OpenIdError)) throw error;
    log.warn({ trouble: error.trouble, reason: error.message }, 'no sign-in by OpenID Connect could begin');
    return { status: 'away' };
  }
}

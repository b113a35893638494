import 'server-only';
import { env } from '@/lib/env';
import type { Takers } from '@/lib/order/records/taker-sql';
import type { PaymentProvider } from './provider';
import { sandbox } from './sandbox/provider';
import { stripe } from './stripe/provider';

/** Returns the providers that this shop's settings choose for new payments. The sandbox is one only where it is allowed. */
export function takers(): Takers {
  const { stripe: keys, allowsSandbox } = env();
  const named = [...(allowsSandbox ? [sandbox] : []), ...(keys ? [stripe] : [])].map(({ name }) => name);
  return { usual: (keys ? stripe : sandbox).name, named };
}

/** Returns every provider that can be asked about its payments. */
export const allProviders = (): PaymentProvider[] => (env().stripe ? [sandbox, stripe] : [sandbox]);

/** Returns the provider with this name, or null. */
export function findProvider(name: string): PaymentProvider | null {
  return allProviders().find((provider) => provider.name === name) ?? null;
}

/**
 * Returns a stored payment's provider. @throws Error if it is not set up any more: a provider's payments must be
 * settled before its settings are removed.
 */
export function providerOf(name: string): PaymentProvider {
  const provider = findProvider(name);
  if (!provider) throw new Error(`there is no payment provider ${name}`);
  return provider;
}

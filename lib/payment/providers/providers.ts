import 'server-only';
import type { PaymentProvider } from './provider';
import { sandbox } from './sandbox/provider';

const PROVIDERS: ReadonlyMap<string, PaymentProvider> = new Map([[sandbox.name, sandbox]]);

/** The provider of new payments. */
export const DEFAULT_PROVIDER = sandbox.name;

/** Returns every provider. */
export const allProviders = (): PaymentProvider[] => [...PROVIDERS.values()];

/** Returns the provider with this name, or null. */
export function findProvider(name: string): PaymentProvider | null {
  return PROVIDERS.get(name) ?? null;
}

/**
 * Returns a stored payment's provider. @throws Error if it no longer exists: a provider's payments must be settled
 * before it is removed.
 */
export function providerOf(name: string): PaymentProvider {
  const provider = findProvider(name);
  if (!provider) throw new Error(`there is no payment provider ${name}`);
  return provider;
}

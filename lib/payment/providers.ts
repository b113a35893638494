import 'server-only';
import type { PaymentProvider } from './provider';
import { sandbox } from './sandbox/provider';

const PROVIDERS: ReadonlyMap<string, PaymentProvider> = new Map([[sandbox.name, sandbox]]);

/** What new payments are made with. */
export const DEFAULT_PROVIDER = sandbox.name;

/** Every provider there is. */
export const allProviders = (): PaymentProvider[] => [...PROVIDERS.values()];

/** The provider of this name, or null. */
export function findProvider(name: string): PaymentProvider | null {
  return PROVIDERS.get(name) ?? null;
}

/** The provider of a stored payment. @throws Error if it is gone: its payments must be settled before it is removed. */
export function providerOf(name: string): PaymentProvider {
  const provider = findProvider(name);
  if (!provider) throw new Error(`there is no payment provider ${name}`);
  return provider;
}

import 'server-only';
import { COMPANIES, type Company } from '@/lib/contract/words/payment';
import { env } from '@/lib/env';
import type { Takers } from '@/lib/order/records/taker-sql';
import { mollie } from './mollie/provider';
import type { PaymentProvider } from './provider';
import { sandbox } from './sandbox/provider';
import { stripe } from './stripe/provider';

type Settings = ReturnType<typeof env>;

const companies: Record<Company, PaymentProvider> = { stripe, mollie };

const withKeys = (settings: Settings): PaymentProvider[] =>
  COMPANIES.filter((name) => settings[name] !== null).map((name) => companies[name]);

/**
 * Returns the provider of each sale that names none: the one that the settings name, or the company whose keys they
 * have, or the sandbox.
 */
export function usualProvider(settings: Settings): PaymentProvider {
  const ready = withKeys(settings);
  const named = [sandbox, ...ready].find(({ name }) => name === settings.paymentProvider);
  return named ?? ready[0] ?? sandbox;
}

/** Tells whether payments by a provider move money: not the sandbox's, nor those by a key for tests. */
export const movesMoney = ({ name }: PaymentProvider, settings: Settings): boolean =>
  name !== 'sandbox' && settings[name]?.isLive === true;

/** Returns the providers that this shop's settings choose for new payments. The sandbox is one only where it is allowed. */
export function takers(): Takers {
  const settings = env();
  const named = [...(settings.allowsSandbox ? [sandbox] : []), ...withKeys(settings)];
  return { usual: usualProvider(settings).name, named: named.map(({ name }) => name) };
}

/** Returns every provider that can be asked about its payments. */
export const allProviders = (): PaymentProvider[] => [sandbox, ...withKeys(env())];

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

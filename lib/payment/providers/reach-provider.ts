import 'server-only';
import { within } from '@/lib/errors/within';
import { limitMs } from '@/lib/time-limits';
import type { PaymentProvider } from './provider';
import { findProvider, providerOf } from './providers';

/** A provider gave no usable answer. The error has no `cause`: their outage is no fault of ours. */
export class ProviderSilentError extends Error {
  override name = 'ProviderSilentError';
}

/**
 * Calls a provider.
 * @param name of a stored payment's provider
 * @param timeoutMs how long to wait at most
 * @throws ProviderSilentError whatever went wrong at the provider; what went wrong at our own server, as it is
 */
export async function reachProvider<T>(
  name: string,
  ask: (provider: PaymentProvider) => Promise<T>,
  timeoutMs = limitMs('provider'),
): Promise<T> {
  try {
    return await within(timeoutMs, name, ask(providerOf(name)));
  } catch (error) {
    if (findProvider(name)?.isOurFault?.(error)) throw error;
    throw new ProviderSilentError(error instanceof Error ? error.message : String(error));
  }
}

import 'server-only';
import { within } from '@/lib/errors/within';
import type { PaymentProvider } from './provider';
import { providerOf } from './providers';

const TIMEOUT_MS = 10_000;
/** For questions about many payments at once, which a provider may answer page by page. */
export const MANY_TIMEOUT_MS = 60_000;

/** A provider gave no usable answer. The error has no `cause`: their outage is no fault of ours. */
export class ProviderSilentError extends Error {
  override name = 'ProviderSilentError';
}

/**
 * Calls a provider.
 * @param name of a stored payment's provider
 * @param timeoutMs how long to wait at most
 * @throws ProviderSilentError whatever went wrong
 */
export async function reachProvider<T>(
  name: string,
  ask: (provider: PaymentProvider) => Promise<T>,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  try {
    return await within(timeoutMs, name, ask(providerOf(name)));
  } catch (error) {
    throw new ProviderSilentError(error instanceof Error ? error.message : String(error));
  }
}

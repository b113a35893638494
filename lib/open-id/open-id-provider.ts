import 'server-only';
import { env } from '@/lib/env';
import { processWide } from '@/lib/process-wide';
import { createProvider, type OpenIdProvider } from './create-provider';

/** Returns the server that signs people in, as the settings name it; null: there is none. */
export function openIdProvider(): OpenIdProvider | null {
  const { openId } = env();
  return openId && processWide('open-id', () => createProvider(openId));
}

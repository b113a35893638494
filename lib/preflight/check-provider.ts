import 'server-only';
import type { Check } from '@/lib/contract/shapes/preflight';
import { env } from '@/lib/env';
import { defaultProvider } from '@/lib/payment/providers/providers';
import { failed, passed } from './make-check';

/** Says where payments are reported to, and warns outside the demo if they move no money. */
export function checkProvider(): Check {
  const { stripe, publicUrl, isDemo } = env();
  const provider = defaultProvider();
  const address = new URL(`/api/payments/webhooks/${provider}`, publicUrl).href;
  const detail = `The provider ${provider} reports payments to ${address}.`;
  return stripe?.isLive || isDemo
    ? passed('provider', detail, { address })
    : failed('warn', 'provider', 'no_money', `${detail} They move no money.`, { address });
}

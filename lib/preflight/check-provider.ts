import 'server-only';
import type { Check } from '@/lib/contract/shapes/preflight';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { env } from '@/lib/env';
import { plainMoney } from '@/lib/money';
import { findProvider, movesMoney, takers } from '@/lib/payment/providers/providers';
import { failed, passed } from './make-check';

/**
 * Says where a sale's payments are reported to. Stops a sale whose own provider is not set up, or that can't take exactly its
 * price. Warns outside the demo if its payments move no money.
 */
export function checkProvider({
  provider: named,
  priceMinor: amountMinor,
  currency,
}: Pick<SaleInfo, 'provider' | 'priceMinor' | 'currency'>): Check {
  const settings = env();
  const { usual, named: usable } = takers();
  if (named !== 'usual' && !usable.includes(named))
    return failed('stop', 'provider', 'not_set_up', `The provider ${named} is not set up.`, {
      provider: named,
    });
  const name = named === 'usual' ? usual : named;
  const address = new URL(`/api/payments/webhooks/${name}`, settings.publicUrl).href;
  const detail = `The provider ${name} reports payments to ${address}.`;
  const provider = findProvider(name);
  if (provider?.isCountable?.({ amountMinor, currency }) === false)
    return failed(
      'stop',
      'provider',
      'price_odd',
      `${provider.brand} can't take ${plainMoney({ amountMinor, currency })}.`,
      {
        provider: provider.brand,
      },
    );
  return settings.isDemo || (provider && movesMoney(provider, settings))
    ? passed('provider', detail, { address })
    : failed('warn', 'provider', 'no_money', `${detail} They move no money.`, { address });
}

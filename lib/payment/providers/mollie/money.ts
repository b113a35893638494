import { minorDigits, parseMoney } from '@/lib/money';
import type { Money } from '@/lib/payment/records/types';
import { ProviderFault } from '../provider-fault';

/** Money as Mollie writes it: `{ currency: 'EUR', value: '10.00' }`, with as many digits as ISO 4217 gives the currency. */
type Amount = { currency: string; value: string };

/** Puts money the way Mollie writes it, without going through a float. */
export function toMollie({ amountMinor, currency }: Money): Amount {
  const digits = minorDigits(currency);
  const text = String(amountMinor).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  return { currency, value: digits === 0 ? whole : `${whole}.${text.slice(-digits)}` };
}

/** Reads money as Mollie writes it. @throws ProviderFault if it is no amount of that currency */
export function fromMollie({ currency, value }: Amount): Money {
  const amountMinor = /^[A-Z]{3}$/.test(currency) ? parseMoney(value, currency) : null;
  if (amountMinor === null)
    throw new ProviderFault(`Mollie says ${value} ${currency}, which is no whole amount`);
  return { amountMinor, currency };
}

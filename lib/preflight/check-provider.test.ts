import { afterEach, expect, it } from 'vitest';
import type { SaleProvider } from '@/lib/contract/words/payment';
import { env } from '@/lib/env';
import { checkProvider } from './check-provider';

const before = { ...env() };
afterEach(() => void Object.assign(env(), before));

const keys = { secretKey: 'sk_live_hunter2', webhookSecret: 'whsec_hunter2', apiUrl: undefined };
const at = (provider: string) => `https://shop.example/api/payments/webhooks/${provider}`;

const PRICE = { priceMinor: 1_999, currency: 'EUR' };
const live = { isDemo: false, allowsSandbox: true, stripe: { ...keys, isLive: true } };

it.each<[string, object, SaleProvider, boolean, string]>([
  ['the demo', { isDemo: true, stripe: null }, 'usual', true, 'sandbox'],
  ['a shop with the sandbox', { isDemo: false, stripe: null }, 'usual', false, 'sandbox'],
  ['a test key', { isDemo: false, stripe: { ...keys, isLive: false } }, 'usual', false, 'stripe'],
  ['a live key', live, 'usual', true, 'stripe'],
  ['a sale at Stripe', live, 'stripe', true, 'stripe'],
  ['a sale at the sandbox beside a live key', live, 'sandbox', false, 'sandbox'],
  [
    'a live key of Mollie',
    { ...live, stripe: null, mollie: { apiKey: 'hunter2', isLive: true } },
    'usual',
    true,
    'mollie',
  ],
  [
    'a sale at Mollie by a test key, beside a live key of Stripe',
    { ...live, paymentProvider: 'stripe', mollie: { apiKey: 'hunter2', isLive: false } },
    'mollie',
    false,
    'mollie',
  ],
])(
  '[O4 L3] %s: says where callbacks come, whether money moves, and no key',
  (_, given, named, ok, provider) => {
    Object.assign(env(), { publicUrl: 'https://shop.example', ...given });
    const check = checkProvider({ ...PRICE, provider: named });
    expect(check).toMatchObject({ ok, severity: 'warn', values: { address: at(provider) } });
    expect(JSON.stringify(check)).not.toContain('hunter2');
  },
);

it.each<[SaleProvider, object]>([
  ['stripe', { stripe: null }],
  ['mollie', live],
  ['sandbox', { ...live, allowsSandbox: false }],
])('[O4 L3] a sale at %s is stopped where that is not set up or not allowed', (provider, given) => {
  Object.assign(env(), given);
  expect(checkProvider({ ...PRICE, provider })).toMatchObject({
    ok: false,
    severity: 'stop',
    reason: 'not_set_up',
  });
});

it.each([
  [5_120, true],
  [5_124, false],
])('[O4 L3] a sale at %i fils, of which Stripe takes tens alone, can be published: %s', (priceMinor, ok) => {
  Object.assign(env(), live);
  const check = checkProvider({ provider: 'stripe', priceMinor, currency: 'KWD' });
  expect(check).toMatchObject(ok ? { ok } : { ok, severity: 'stop', reason: 'price_odd' });
});

import { afterEach, expect, it } from 'vitest';
import { env } from '@/lib/env';
import { checkProvider } from './check-provider';

const before = { ...env() };
afterEach(() => void Object.assign(env(), before));

const keys = { secretKey: 'sk_live_hunter2', webhookSecret: 'whsec_hunter2', apiUrl: undefined };
const at = (provider: string) => `https://shop.example/api/payments/webhooks/${provider}`;

it.each([
  ['the demo', { isDemo: true, stripe: null }, true, 'sandbox'],
  ['a shop with the sandbox', { isDemo: false, stripe: null }, false, 'sandbox'],
  ['a test key', { isDemo: false, stripe: { ...keys, isLive: false } }, false, 'stripe'],
  ['a live key', { isDemo: false, stripe: { ...keys, isLive: true } }, true, 'stripe'],
])('[O4 L3] %s: says where callbacks come, whether money moves, and no key', (_, given, ok, provider) => {
  Object.assign(env(), { publicUrl: 'https://shop.example', ...given });
  const check = checkProvider();
  expect(check).toMatchObject({ ok, severity: 'warn', values: { address: at(provider) } });
  expect(JSON.stringify(check)).not.toContain('hunter2');
});

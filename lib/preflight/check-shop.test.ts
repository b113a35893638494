import { describe, expect, it } from 'vitest';
import { SETUP_CHECK_IDS } from '@/lib/contract/words/preflight';
import { parseEnv } from '@/lib/env';
import { testEnv } from '@/test/support/test-env';
import { judgeShop } from './check-shop';

const NOW = Date.UTC(2026, 10, 27);
const DAY_MS = 86_400_000;
const PARTS = ['redis', 'worker', 'executor', 'clock', 'page'];
/** A shop that has everything. */
const LIVE = {
  SECKILL_DEMO: '0',
  NEXTAUTH_URL: 'https://shop.example.com',
  TRUST_PROXY: '1',
  SMTP_URL: 'smtps://postman:mail-password@mail.example.com:465',
  ALERT_EMAIL_TO: 'ops@example.com, night@example.com',
  ALERT_WEBHOOK_URL: 'https://hooks.example.com/services/hook-token?key=hook-key',
  ALERT_WEBHOOK_SECRET: 'whsec_YWxlcnRzLXNlY3JldC1vZi10aGlzLXRlc3QtMDEyMw==',
  STRIPE_SECRET_KEY: 'sk_live_0123456789abcdefSTRIPE',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdefghijSTRIPE',
};
const NO_STRIPE = { STRIPE_SECRET_KEY: '', STRIPE_WEBHOOK_SECRET: '' };
const FACTS = {
  approvers: 2,
  withoutFactor: 0,
  isIssuerRight: true,
  keepsPictures: true,
  backupAt: new Date(NOW - DAY_MS),
  now: NOW,
};

const judge = (
  settings: Record<string, string> = {},
  facts: Partial<typeof FACTS> | { backupAt: null } = {},
) => judgeShop(parseEnv({ ...testEnv, ...LIVE, ...settings }), { ...FACTS, ...facts });
const wrong = (...given: Parameters<typeof judge>) =>
  judge(...given).flatMap(({ id, ok, severity, reason }) => (ok ? [] : [`${severity} ${id} ${reason}`]));

describe('what a shop needs before it goes live', () => {
  it('[N1] is one list, with each setting and fact once', () => {
    const ids = SETUP_CHECK_IDS.filter((id) => !PARTS.includes(id));
    expect(judge().map(({ id }) => id)).toEqual(ids);
    expect(wrong()).toEqual([]);
  });

  it.each([
    [
      'the demo',
      { SECKILL_DEMO: '1', NEXTAUTH_URL: 'http://localhost:3000', TRUST_PROXY: '0', ...NO_STRIPE },
      ['stop demo on', 'stop address local', 'warn proxy none', 'stop payment sandbox'],
    ],
    ['no https', { NEXTAUTH_URL: 'http://shop.example.com' }, ['stop address local']],
    ['a private address', { NEXTAUTH_URL: 'https://192.168.1.2' }, ['stop address local']],
    ['no payment provider', NO_STRIPE, ['stop payment sandbox']],
    [
      'a key of Mollie for tests',
      { ...NO_STRIPE, MOLLIE_API_KEY: 'test_0123456789abcdefMOLLIE' },
      ['stop payment test_key'],
    ],
    ['a key of Mollie', { ...NO_STRIPE, MOLLIE_API_KEY: 'live_0123456789abcdefMOLLIE' }, []],
    [
      'the sandbox beside a live key',
      { PAYMENT_PROVIDER: 'sandbox', ALLOW_SANDBOX_PAYMENTS: '1' },
      ['stop payment sandbox'],
    ],
    ['a key for tests', { STRIPE_SECRET_KEY: 'sk_test_0123456789abcdefSTRIPE' }, ['stop payment test_key']],
    ['no mail server', { SMTP_URL: '' }, ['stop mail not_sent']],
    ['no alerts', { ALERT_EMAIL_TO: '', ALERT_WEBHOOK_URL: '' }, ['stop alerts none']],
    ['a webhook alone', { ALERT_EMAIL_TO: '' }, []],
    [
      'a secret that is being changed',
      { ENTRY_SECRET: `${testEnv.ENTRY_SECRET},${testEnv.INTERNAL_SECRET}` },
      ['warn secrets changing'],
    ],
    ['no signing key', { LOG_SIGNING_KEY: '' }, ['warn signing_key none']],
  ])('[N1] notices %s', (_, settings, expected) => {
    expect(wrong(settings)).toEqual(expected);
  });

  it('[N1] counts staff and days', () => {
    expect(wrong({}, { approvers: 1 })).toEqual(['warn approvers few']);
    expect(wrong({ APPROVAL_STOCK_UNITS: 'off', APPROVAL_REFUND_MINOR: 'off' }, { approvers: 1 })).toEqual(
      [],
    );
    expect(wrong({}, { withoutFactor: 1 })).toEqual(['warn second_factor missing']);
    expect(wrong({}, { isIssuerRight: false })).toEqual(['warn sign_in_server away']);
    expect(wrong({}, { keepsPictures: false })).toEqual(['stop pictures refused']);
    expect(wrong({}, { backupAt: null })).toEqual(['stop backup never']);
    const aged = (ms: number) => wrong({}, { backupAt: new Date(NOW - ms) });
    expect(aged(7 * DAY_MS - 1)).toEqual([]);
    expect(aged(7 * DAY_MS)).toEqual(['stop backup old']);
  });

  it('[N3] shows hosts, and no secret of any kind', () => {
    const settings = {
      ENTRY_SECRET: `${testEnv.ENTRY_SECRET},${'another-secret-'.repeat(3)}`,
      MOLLIE_API_KEY: 'live_0123456789abcdefMOLLIE',
      PAYMENT_PROVIDER: 'stripe',
    };
    const shown = JSON.stringify([judge(settings), judge({ SMTP_URL: '', ...settings })]);
    expect(shown).toContain('mail.example.com:465');
    expect(shown).toContain('hooks.example.com');
    expect(shown).toContain('ENTRY_SECRET');
    const secrets = [
      ...Object.entries(testEnv).flatMap(([name, value]) => (/SECRET|KEY/.test(name) ? [value] : [])),
      LIVE.ALERT_WEBHOOK_SECRET,
      'STRIPE',
      'MOLLIE',
      'mail-password',
      'postman',
      'hook-token',
      'hook-key',
      'another-secret',
    ];
    for (const secret of secrets) expect(shown).not.toContain(secret);
  });
});

import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Device } from './identify-device';

const NOW = 1_800_000_000_000;
const DAY = 24 * 3_600_000;
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';
const KEYS = ['old', 'new'].map((name) => `${name}-key-0123456789abcdef0123456789abcdef`);
const [OLD = '', NEW = ''] = KEYS;

const browser = (agent = CHROME, more: Record<string, string> = {}) =>
  ({ 'user-agent': agent, 'accept-language': 'de-DE,de;q=0.9', ...more }) as Record<string, string>;
const agentOf = (version: string) => CHROME.replace('131.0.0.0', version);

afterEach(() => vi.unstubAllEnvs());

/** Returns `identifyDevice` as a process started with these settings has it. */
async function started(settings: Record<string, string> = {}) {
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  vi.resetModules();
  const { identifyDevice } = await import('./identify-device');
  return (headers: Record<string, string>, cookie?: string | null, now = NOW) =>
    identifyDevice(new Headers(cookie ? { ...headers, cookie } : headers), now);
}

const cookieOf = ({ setCookie }: Device) => (setCookie ?? '').split(';')[0] as string;

describe('a device', () => {
  it('[G8] is given a signed cookie for a year, and known by it from then on', async () => {
    const identify = await started();
    const first = identify(browser());
    expect(first).toMatchObject({ deviceId: '', refusal: null });
    expect(first.setCookie).toMatch(
      /^seckill-device=device_[a-z0-9]{26}\.1800000000\.[\w-]{8}\.[\w-]{43}; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/,
    );
    const second = identify(browser(), `a=b; ${cookieOf(first)}; c=d`);
    expect(second).toEqual({ deviceId: expect.stringMatching(/^device_/), setCookie: null, refusal: null });
    expect(cookieOf(first)).toContain(second.deviceId);
    expect(cookieOf(identify(browser()))).not.toContain(second.deviceId);
  });

  it('[G8] over https its cookie is bound to this host', async () => {
    const identify = await started({ NEXTAUTH_URL: 'https://shop.example.com', SECKILL_DEMO: '0' });
    expect(identify(browser()).setCookie).toMatch(
      /^__Host-seckill-device=.*; HttpOnly; SameSite=Lax; Secure$/,
    );
  });

  it('[G8] without leave to keep cookies is nameless each time, and not refused', async () => {
    const identify = await started();
    expect([1, 2].map(() => identify(browser()).deviceId)).toEqual(['', '']);
    expect(identify({}).refusal).toBeNull();
  });

  it('[G8] stays itself through updates of the browser; on another kind the cookie is refused and a new one given', async () => {
    const identify = await started();
    const cookie = cookieOf(identify(browser()));
    for (const agent of [agentOf('140.0.7123.1'), agentOf('99.0')]) {
      expect(identify(browser(agent), cookie).refusal).toBeNull();
    }
    expect(identify(browser(CHROME, { 'accept-language': 'de;q=1, en' }), cookie).refusal).toBeNull();
    const others = [
      browser('Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'),
      browser(CHROME.replace('Windows NT 10.0; Win64; x64', 'Linux; Android 14; Pixel 8')),
      browser(`${CHROME} Edg/131.0`),
      browser(CHROME, { 'accept-language': 'ru-RU' }),
      browser('curl/8.0'),
      {},
    ];
    for (const other of others) {
      const stolen = identify(other, cookie);
      expect(stolen).toMatchObject({ deviceId: '', refusal: 'other_browser' });
      expect(identify(other, cookieOf(stolen)).deviceId).not.toBe('');
    }
  });

  it('[G8] with any character of its cookie changed is refused', async () => {
    const identify = await started();
    const cookie = cookieOf(identify(browser()));
    const from = cookie.indexOf('=') + 1;
    for (let at = from; at < cookie.length; at += 1) {
      const other = cookie[at] === 'a' ? 'b' : 'a';
      expect(identify(browser(), cookie.slice(0, at) + other + cookie.slice(at + 1))).toMatchObject({
        deviceId: '',
        refusal: 'altered',
      });
    }
    const own = cookie.slice(from);
    for (const value of [
      '',
      '.',
      'x'.repeat(10_000),
      own.slice(0, -1),
      `${own}A`,
      `${own}=`,
      own.toUpperCase(),
    ])
      expect(identify(browser(), `seckill-device=${value}`).refusal).toBe('altered');
    fc.assert(
      fc.property(
        fc.string({ maxLength: 200 }).filter((text) => !/[\0\r\n]|[^\x20-\x7e]/.test(text)),
        (text) => {
          expect(identify(browser(), `seckill-device=${text}`).deviceId).toBe('');
        },
      ),
    );
  });

  it('[G8] in use is renewed with its id; after a year of absence it is a new one', async () => {
    const identify = await started();
    const cookie = cookieOf(identify(browser()));
    const known = identify(browser(), cookie).deviceId;
    expect(identify(browser(), cookie, NOW + 29 * DAY).setCookie).toBeNull();
    const renewed = identify(browser(), cookie, NOW + 300 * DAY);
    expect(renewed.deviceId).toBe(known);
    expect(identify(browser(), cookieOf(renewed), NOW + 600 * DAY).deviceId).toBe(known);
    expect(identify(browser(), cookie, NOW + 366 * DAY)).toMatchObject({ deviceId: '', refusal: 'expired' });
  });

  it('[G8] outlives a rotation of keys, signed anew with the newest; a key that is gone counts for nothing', async () => {
    const cookie = cookieOf((await started({ ENTRY_SECRET: OLD }))(browser()));
    const renewed = (await started({ ENTRY_SECRET: `${NEW},${OLD}` }))(browser(), cookie);
    expect(renewed.deviceId).not.toBe('');
    const later = await started({ ENTRY_SECRET: NEW });
    expect(later(browser(), cookieOf(renewed)).deviceId).toBe(renewed.deviceId);
    expect(later(browser(), cookie).refusal).toBe('altered');
  });
});

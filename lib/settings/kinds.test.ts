import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { isPrivateHost, p256Key } from './kinds';

const keyOn = (namedCurve: string) =>
  generateKeyPairSync('ec', { namedCurve })
    .privateKey.export({ type: 'pkcs8', format: 'der' })
    .toString('base64url');

it('[M4] heads are signed by a key on P-256, and by nothing else', () => {
  expect(p256Key.safeParse(keyOn('P-256')).success).toBe(true);
  for (const other of [keyOn('P-384'), '', 'nonsense', 'A'.repeat(500)])
    expect(p256Key.safeParse(other).success).toBe(false);
});

it.each([
  'http://127.0.0.1/x',
  'http://localhost:3000',
  'https://10.1.2.3',
  'https://192.168.0.1',
  'http://169.254.169.254/latest',
  'http://[::1]:80',
  'http://[::ffff:127.0.0.1]',
  'http://[fd00::1]',
  'http://redis.internal',
])('[M4] %s is a private address', (address) => {
  expect(isPrivateHost(address)).toBe(true);
});

it.each(['https://example.com', 'https://8.8.8.8', 'https://[2606:4700::1]', 'nonsense'])(
  '[M4] %s is none',
  (address) => {
    expect(isPrivateHost(address)).toBe(false);
  },
);

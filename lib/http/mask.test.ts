import { describe, expect, it } from 'vitest';
import { mask } from './mask';

describe('mask', () => {
  it.each([
    [{ password: 'hunter2"x' }, 'hunter2'],
    [{ user: { accessToken: 'abc.def' } }, 'abc.def'],
    [{ headers: { cookie: 'next-auth.session-token=xyz', 'X-Entry-Token': 'e.n.t' } }, /xyz|e\.n\.t/],
    [{ err: { message: 'no mail to jane.doe+x@example.com' } }, 'jane'],
    [{ err: { stack: 'Error: postgres://user:pa55@db:5432/x refused' } }, 'pa55'],
    [{ said: 'Authorization: Bearer abc.DEF-123' }, 'abc.DEF'],
    [{ said: 'whsec_MDEyMzQ1Njc4OQ== and signkey-prod-0011' }, /MDEy|0011/],
    [{ said: 'sk_test_MDEyMzQ1Njc4OQ and rk_live_0011' }, /MDEy|0011/],
    [{ said: 'test_dHar4XY7LxsDOtmnkVtjNVWXLSlXsM and live_0123456789abcdefghij' }, /dHar|0123/],
    [{ path: '/pay/sandbox/pay_1?token=s3cr3t-Tok_en&return=/orders/1' }, 's3cr3t'],
    [{ path: '/verify-email?return=/&verification_token=s3cr3t' }, 's3cr3t'],
    [{ path: '/api/auth/callback/oidc?code=s3cr3t&state=1' }, 's3cr3t'],
    [{ path: '/signin?email=jane%40example.com&password=s3cr3t%26x' }, /jane|s3cr3t|%26x/],
    [{ path: '/signin?callbackUrl=%2Fpay%2Fsandbox%2Fp%3Ftoken%3Ds3cr3t%26return%3D%2F' }, 's3cr3t'],
    [{ err: { message: 'GET "http://x/?invite=s3cr3t" failed' } }, 's3cr3t'],
  ])('[J2] hides the secret in %j', (entry, secret) => {
    const line = mask(JSON.stringify(entry));
    expect(line).not.toMatch(secret);
    expect(() => JSON.parse(line)).not.toThrow();
  });

  it('[J2] leaves everything else as it was', () => {
    const line = JSON.stringify({
      saleId: 's',
      orderNos: ['1', '2'],
      err: { message: 'a "quoted" \\ word' },
      path: '/orders?cursor=abc&return=/pay&limit=20',
    });
    expect(mask(line)).toBe(line);
  });
});

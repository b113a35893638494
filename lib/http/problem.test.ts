import { describe, expect, it } from 'vitest';
import { ERROR_CODES, type ErrorCode } from '@/lib/errors/codes';
import { problem, problemReply } from './problem';

describe('problem', () => {
  it('[C1] is an application/problem+json with a stable code and a request id', async () => {
    const response = problem('SOLD_OUT', { detail: 'All 100 are taken.', extra: { available: 0 } });
    expect(response.status).toBe(409);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({
      type: 'urn:seckill:problem:sold-out',
      title: 'Sold out',
      status: 409,
      code: 'SOLD_OUT',
      detail: 'All 100 are taken.',
      requestId: expect.stringMatching(/^[\w-]{36}$/),
      available: 0,
    });
  });

  it('[N8] keeps what it is told inside its members', async () => {
    const nasty = '"},"code":"OK","x":{"\\ \n\u2028</script>';
    const answer = problem('VALIDATION', {
      detail: nasty,
      requestId: nasty,
      extra: { fields: [nasty], [nasty]: 1 },
    });
    expect(await answer.json()).toMatchObject({
      code: 'VALIDATION',
      detail: nasty,
      requestId: nasty,
      fields: [nasty],
      [nasty]: 1,
    });
  });

  it.each(Object.keys(ERROR_CODES) as ErrorCode[])(
    '[A6] %s says when to try again if that makes sense',
    (code) => {
      const { status, headers, body } = problemReply(code);
      const mayRetry = status === 429 || status === 503;
      expect('retry-after' in headers).toBe(mayRetry);
      expect('retryAfterMs' in JSON.parse(body)).toBe(mayRetry);
    },
  );

  it('[A6] rounds Retry-After up to whole seconds', () => {
    expect(problemReply('RATE_LIMITED', { retryAfterMs: 1001 }).headers['retry-after']).toBe('2');
  });
});

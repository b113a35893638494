import { afterAll, describe, expect, it } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { sessionOf } from '@/test/support/call-as';
import { makeAccount } from '@/test/support/make-account';
import { authorize } from './authorize';
import { currentUser } from './current-user';
import { sessionCookieName } from './sessions/session-token';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

describe('who asks to change something', () => {
  it('[N8] by a form’s content types changes nothing, even from our own pages', async () => {
    const session = await sessionOf((await makeAccount()).id);
    const ask = async (headers: Record<string, string>, method = 'POST', isUpload = false) => {
      const body = method === 'GET' ? undefined : new Blob(['{}']);
      const cookie = `${sessionCookieName()}=${session}`;
      const request = new Request('http://shop.test/api/x', {
        method,
        headers: { ...headers, cookie },
        body,
      });
      const answer = await authorize(request, 'user', currentUser, isUpload);
      return answer.ok ? 'may' : answer.reply.status;
    };
    const ours = { 'sec-fetch-site': 'same-origin' };
    for (const type of [
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain',
      'x',
    ])
      expect(await ask({ ...ours, 'content-type': type }), type).toBe(403);
    expect(await ask({ ...ours, 'content-type': 'text/plain; application/json' })).toBe(403);
    expect(await ask({ ...ours, 'content-type': 'application/json; charset=utf-8' })).toBe('may');
    for (const site of ['cross-site', 'same-site', 'none'])
      expect(await ask({ 'sec-fetch-site': site, 'content-type': 'application/json' }), site).toBe(403);
    expect(await ask({ origin: 'null', 'content-type': 'application/json' })).toBe(403);
    expect(await ask({ 'sec-fetch-site': 'cross-site' }, 'GET')).toBe('may');
    // A picture is one only where an upload is expected, and from our own pages.
    const picture = { 'content-type': 'image/png' };
    expect(await ask({ ...ours, ...picture })).toBe(403);
    expect(await ask({ ...ours, ...picture }, 'POST', true)).toBe('may');
    expect(await ask({ ...picture, 'sec-fetch-site': 'cross-site' }, 'POST', true)).toBe(403);
    expect(await ask({ ...picture, origin: 'http://other.test', host: 'shop.test' }, 'POST', true)).toBe(403);
    expect(await ask({ ...ours, 'content-type': 'text/plain; image/png' }, 'POST', true)).toBe(403);
  });
});

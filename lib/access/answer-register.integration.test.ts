import { afterAll, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { answerRegister } from './answer-register';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

it('[N8] another site’s form registers nobody, whatever answer it asks for', async () => {
  const email = `visitor-${Date.now()}@example.com`;
  for (const json of ['false', 'true']) {
    const request = new Request('http://localhost:3999/api/register', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.test' },
      body: new URLSearchParams({ email, name: 'Visitor', password: 'long enough 1', json }).toString(),
    });
    const answer = await answerRegister(request, '198.51.100.9');
    expect([answer.status, (await answer.json()).code]).toEqual([403, 'CSRF']);
  }
  expect(await db().user.count({ where: { email } })).toBe(0);
});

it('[N2] an easy password is refused in JSON, and to a form without script by the page it came from', async () => {
  const register = (json: string) =>
    answerRegister(
      new Request('http://localhost:3999/api/register', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams({ email: 'ann@example.com', name: 'Ann', password: 'iloveyou', json }),
      }),
      '198.51.100.9',
    );
  const refused = await register('true');
  expect([refused.status, (await refused.json()).code]).toEqual([422, 'PASSWORD_GUESSABLE']);
  expect((await register('false')).headers.get('location')).toContain('notice=guessable#guessable');
});

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

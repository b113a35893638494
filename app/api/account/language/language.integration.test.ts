import { afterAll, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { callWith, sessionOf } from '@/test/support/call-as';
import { makeUser } from '@/test/support/make-sale';
import { POST } from './route';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

it('[N2 I3] a person chooses the language of their mails, one that the shop has', async () => {
  const [{ userId }, other] = await Promise.all([makeUser(), makeUser()]);
  const session = await sessionOf(userId);
  const choose = async (body: unknown, whose: string | null = session) =>
    (await callWith(whose, POST as never, { method: 'POST', body })).status;
  const languageOf = async (id: string) => (await db().user.findUniqueOrThrow({ where: { id } })).locale;
  expect(await choose({ language: 'zh-CN' })).toBe(200);
  expect(await languageOf(userId)).toBe('zh-CN');
  for (const body of [{ language: 'xx' }, { language: '' }, {}, { language: 'en', userId: other.userId }])
    expect(await choose(body), JSON.stringify(body)).toBe(422);
  expect(await choose({ language: 'zh-CN' }, null)).toBe(401);
  expect(await languageOf(userId)).toBe('zh-CN');
  expect(await languageOf(other.userId)).toBe('en');
});

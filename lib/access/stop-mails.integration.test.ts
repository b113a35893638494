import { afterAll, describe, expect, it } from 'vitest';
import { GET as getMuted, POST as postMuted } from '@/app/api/account/mails/route';
import { GET as getStop, POST as postStop } from '@/app/api/email/stop-mails/route';
import { eraseAccount } from '@/lib/account/erase-account';
import { stopMailsLinks } from '@/lib/account/stop-mails-link';
import type { MailTopic } from '@/lib/contract/words/mail';
import { closeDb, db } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { callWith, sessionOf } from '@/test/support/call-as';
import { makeUser } from '@/test/support/make-sale';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

const newUser = async () => (await makeUser()).userId;
const tokenOf = (userId: string, topic: MailTopic = 'reminders') =>
  new URL(stopMailsLinks(userId, topic, 'en').oneClick).searchParams.get('token') ?? '';
const mutedOf = async (id: string) => (await db().user.findUniqueOrThrow({ where: { id } })).mutedMails;

/** Posts as a mail program does: a form, without cookies, from nowhere. */
const press = (url: string) =>
  postStop(
    new Request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    }),
    { params: Promise.resolve({}) },
  );
const stopBy = (token: string) => callWith(null, postStop, { method: 'POST', query: { token } });

describe('[O7] the link that stops mails', () => {
  it('mutes its topic for its account, signed out and however often, and nothing else', async () => {
    const [userId, other] = [await newUser(), await newUser()];
    for (let round = 0; round < 2; round += 1) {
      const answer = await press(stopMailsLinks(userId, 'reminders', 'zh-CN').oneClick);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ stopped: 'reminders' });
    }
    expect(await mutedOf(userId)).toEqual(['reminders']);
    expect(await mutedOf(other)).toEqual([]);
  });

  it('counts beside another one at the same time', async () => {
    const userId = await newUser();
    const topics = ['reminders', 'waiting', 'reminders', 'waiting'] as const;
    await Promise.all(topics.map((topic) => stopBy(tokenOf(userId, topic))));
    expect((await mutedOf(userId)).sort()).toEqual(['reminders', 'waiting']);
  });

  it('changes nothing when it is opened: it leads to a page in the language of the mail', async () => {
    const userId = await newUser();
    const { oneClick, page } = stopMailsLinks(userId, 'waiting', 'zh-CN');
    const answer = await getStop(new Request(oneClick), { params: Promise.resolve({}) });
    expect(answer.status).toBe(303);
    expect(new URL(answer.headers.get('location') ?? '', oneClick).href).toBe(page);
    expect(await mutedOf(userId)).toEqual([]);
  });

  it('is refused clearly unless it is ours, to the letter', async () => {
    const [userId, other] = [await newUser(), await newUser()];
    const token = tokenOf(userId);
    const [, , signature] = token.split('.');
    for (const wrong of [
      '',
      'x',
      token.slice(0, -1),
      `${token}x`,
      `${other}.reminders.${signature}`,
      `${userId}.waiting.${signature}`,
      `${userId}.orders.${signature}`,
      `${userId}.reminders.`,
      'a'.repeat(300),
    ]) {
      const answer = await stopBy(wrong);
      expect([answer.status, (await answer.json()).code], wrong).toEqual([410, 'STOP_LINK_INVALID']);
      const opened = await callWith(null, getStop, { query: { token: wrong } });
      expect(opened.headers.get('location'), wrong).toBe('/stop-mails');
    }
    const huge = await stopBy('a'.repeat(301));
    expect([huge.status, (await huge.json()).code]).toEqual([422, 'VALIDATION']);
    expect([...(await mutedOf(userId)), ...(await mutedOf(other))]).toEqual([]);
  });

  it('of a deleted account changes nothing', async () => {
    const userId = await newUser();
    await stopBy(tokenOf(userId, 'waiting'));
    await db().user.update({ where: { id: userId }, data: { bannedAt: new Date() } });
    await db().$transaction((tx) => eraseAccount(tx, userId));
    expect((await stopBy(tokenOf(userId))).status).toBe(200);
    expect(await mutedOf(userId)).toEqual([]);
  });
});

describe('[O7] the mails that an account wants', () => {
  it('are set by its owner alone, back on as well', async () => {
    const [userId, other] = [await newUser(), await newUser()];
    const session = await sessionOf(userId);
    await stopBy(tokenOf(userId));
    const refusedAt = Date.UTC(2026, 10, 28);
    await db().user.update({ where: { id: userId }, data: { mailRefusedAt: new Date(refusedAt) } });
    expect(await (await callWith(session, getMuted)).json()).toEqual({
      muted: ['reminders'],
      mailRefusedAt: refusedAt,
    });
    await db().user.update({ where: { id: userId }, data: { mailRefusedAt: null } });
    const set = async (muted: unknown) =>
      (await callWith(session, postMuted, { method: 'POST', body: { muted } })).json();
    expect(await set(['waiting', 'waiting'])).toEqual({ muted: ['waiting'], mailRefusedAt: null });
    expect(await mutedOf(userId)).toEqual(['waiting']);
    expect(await set([])).toEqual({ muted: [], mailRefusedAt: null });
    expect(await mutedOf(other)).toEqual([]);
    expect((await callWith(null, getMuted)).status).toBe(401);
    expect((await callWith(null, postMuted, { method: 'POST', body: { muted: [] } })).status).toBe(401);
  });

  it('are set by what is a list of topics', async () => {
    const userId = await newUser();
    const session = await sessionOf(userId);
    for (const body of [
      {},
      { muted: null },
      { muted: 'reminders' },
      { muted: ['orders'] },
      { muted: ['reminders', 'waiting', 'reminders'] },
      { muted: [], userId: 'x' },
    ])
      expect((await callWith(session, postMuted, { method: 'POST', body })).status).toBe(422);
    expect(await mutedOf(userId)).toEqual([]);
  });
});

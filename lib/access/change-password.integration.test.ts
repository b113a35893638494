import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { userOfSession } from '@/lib/account/current-user';
import type { CurrentUser } from '@/lib/account/types';
import { closeDb, db } from '@/lib/db/client';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { sessionOf } from '@/test/support/call-as';
import { keepMailsApart } from '@/test/support/keep-mails-apart';
import { makeAccount, PASSWORD } from '@/test/support/make-account';
import { changePassword } from './change-password';
import { signIn } from './sign-in';
import { signOutEverywhere } from './sign-out-everywhere';

const caller = { address: '198.51.100.7', headers: new Headers() };
const NEXT = 'another long one';

const mails = keepMailsApart();
beforeEach(() => cacheRedis().flushdb());
afterAll(() => Promise.all([closeRedis(), closeDb()]));

async function signedIn() {
  const { id, email } = await makeAccount();
  const [cookie, other] = [await sessionOf(id), await sessionOf(id)];
  return { id, email, cookie, other, user: (await userOfSession(cookie)) as CurrentUser };
}

const change = (user: CurrentUser, currentPassword: string, newPassword = NEXT) =>
  changePassword(user, { currentPassword, newPassword }, caller);

describe('another password', () => {
  it('[N3] ends every other session; the one that asks goes on', async () => {
    const { id, email, cookie, other, user } = await signedIn();
    expect(await change(user, PASSWORD)).toEqual({ status: 'changed' });
    expect(await userOfSession(cookie)).toMatchObject({ userId: id });
    expect(await userOfSession(other)).toBeNull();
    expect((await signIn({ email, password: PASSWORD }, caller)).status).toBe('wrong');
    expect((await signIn({ email, password: NEXT }, caller)).status).toBe('signed_in');
    expect(await db().auditEntry.findMany({ where: { subjectId: id } })).toMatchObject([
      { action: 'user.change_password', actorId: id, before: null, after: null },
    ]);
  });

  it('[N2] is told to the owner by mail, and is none that others would try first', async () => {
    const { id, email, user } = await signedIn();
    for (const easy of ['iloveyou', email, 'abcdefgh'])
      expect(await change(user, PASSWORD, easy), easy).toEqual({ status: 'guessable' });
    expect(await mails.named(`passwordChanged-${id}`)).toEqual([]);
    expect(await change(user, PASSWORD)).toEqual({ status: 'changed' });
    await mails.only(`passwordChanged-${id}`);
  });

  it('[N4] is not given to who guesses the present one: a few tries, then waits, whatever the address', async () => {
    const { user } = await signedIn();
    let tried = 0;
    while ((await change(user, `guess ${tried}`)).status === 'wrong') tried += 1;
    // Where a machine stands still a short wait may pass meanwhile.
    expect(tried).toBeGreaterThanOrEqual(5);
    expect(tried).toBeLessThan(12);
    expect(
      await changePassword(
        user,
        { currentPassword: 'x', newPassword: NEXT },
        { ...caller, address: '203.0.113.1' },
      ),
    ).toMatchObject({
      status: 'limited',
    });
  });

  it('[N3] of two at once is one; who has lost is signed out', async () => {
    const { id, cookie, other, user } = await signedIn();
    const rival = (await userOfSession(other)) as CurrentUser;
    const results = await Promise.all([
      change(user, PASSWORD, 'first new one'),
      change(rival, PASSWORD, 'second new one'),
    ]);
    // The loser is told of the session, or of a password that is no more, by when it was looked at.
    expect(['changed,signed_out', 'changed,wrong']).toContain(
      String(results.map(({ status }) => status).sort()),
    );
    const alive = await Promise.all([cookie, other].map(userOfSession));
    expect(alive.filter(Boolean)).toHaveLength(1);
    expect((await db().user.findUniqueOrThrow({ where: { id } })).sessionVersion).toBe(1);
  });

  it('[N7] is not for demo accounts', async () => {
    const { id, user } = await signedIn();
    await db().user.update({ where: { id }, data: { isDemo: true } });
    expect(await change(user, PASSWORD)).toEqual({ status: 'demo_account' });
  });
});

it('[N3] signing out everywhere ends every session, this one too, and is recorded', async () => {
  const { id, cookie, other, user } = await signedIn();
  await signOutEverywhere(user);
  expect(await Promise.all([cookie, other].map(userOfSession))).toEqual([null, null]);
  expect(await db().auditEntry.findMany({ where: { subjectId: id } })).toMatchObject([
    { action: 'user.sign_out_everywhere' },
  ]);
  expect(await userOfSession(await sessionOf(id))).not.toBeNull();
});

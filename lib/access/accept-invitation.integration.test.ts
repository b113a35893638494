import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { POST as postAccept } from '@/app/api/invitations/accept/route';
import { banUser } from '@/lib/account/admin/ban-user';
import { editUser } from '@/lib/account/admin/edit-user';
import { userOfSession } from '@/lib/account/current-user';
import { NO_PASSWORD } from '@/lib/account/hash-password';
import { closeDb, db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { newId } from '@/lib/ids/new-id';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { callWith, sessionOf } from '@/test/support/call-as';
import { makeAccount, PASSWORD } from '@/test/support/make-account';
import { makePasskey } from '@/test/support/make-passkey';
import { acceptInvitation, lookAtInvitation } from './accept-invitation';
import { inviteStaff } from './invite-staff';
import { signIn } from './sign-in';

const caller = { address: '198.51.100.7', headers: new Headers() };

beforeEach(() => cacheRedis().flushdb());
afterAll(() => Promise.all([closeRedis(), closeDb()]));

const newEmail = () => `${newId('i')}@example.com`;

async function invited(email = newEmail(), role: 'support' | 'admin' = 'support') {
  const result = await inviteStaff({ email, role, invitedBy: 'command' });
  if (result.status !== 'invited') throw new Error(result.status);
  return { email, token: new URL(result.url).hash.slice(1) };
}

const accept = (token: string, more: object = {}) =>
  acceptInvitation({ token, password: 'long enough', name: 'Sue', ...more }, caller);

describe('an invitation', () => {
  it('[N1] makes an account with its role, which can sign in', async () => {
    const { email, token } = await invited();
    expect(await lookAtInvitation(token, caller)).toMatchObject({
      email,
      role: 'support',
      hasAccount: false,
    });
    expect(await accept(token, { locale: 'zh-CN' })).toEqual({ status: 'accepted', email });
    const user = await db().user.findUniqueOrThrow({ where: { email } });
    expect(user).toMatchObject({ role: 'support', name: 'Sue', locale: 'zh-CN', emailVerifiedAt: null });
    expect(await signIn({ email, password: 'long enough' }, caller)).toMatchObject({ status: 'signed_in' });
    const row = await db().invitation.findFirstOrThrow({ where: { email } });
    expect(row).toMatchObject({ userId: user.id, usedAt: expect.any(Date) });
    expect(await db().auditEntry.findMany({ where: { subjectId: user.id } })).toMatchObject([
      { action: 'invitation.accept', actorId: user.id, before: null, after: { role: 'support' } },
    ]);
  });

  it('[N2] takes no password for a new account that others would try first, and stays good', async () => {
    const { email, token } = await invited();
    for (const password of ['letmein123', email])
      expect(await accept(token, { password })).toEqual({ status: 'guessable' });
    expect(await accept(token)).toMatchObject({ status: 'accepted' });
  });

  it('[N1] gives an account that is there its role, if its password is right, and ends its sessions', async () => {
    const user = await makeAccount();
    const session = await sessionOf(user.id);
    const { token } = await invited(user.email, 'admin');
    expect(await accept(token, { password: 'wrong' })).toEqual({ status: 'wrong' });
    expect(await userOfSession(session)).toMatchObject({ role: 'shopper' });
    expect(await accept(token, { password: PASSWORD, name: undefined })).toMatchObject({
      status: 'accepted',
    });
    expect(await userOfSession(session)).toBeNull();
    expect(await db().user.findUniqueOrThrow({ where: { id: user.id } })).toMatchObject({
      role: 'admin',
      name: 'shopper',
    });
  });

  it.each([
    ['takes the second factor of an unverified shopper, which a stranger may have added', null, 'shopper', 0],
    ['leaves that of a verified address', new Date(), 'shopper', 1],
    ['leaves that of staff, whose account an earlier one made', null, 'merchant', 1],
  ] as const)('[N1 N5] %s', async (_, emailVerifiedAt, role, left) => {
    const { id, email } = await makeAccount(role);
    await makePasskey(id);
    await db().user.update({ where: { id }, data: { emailVerifiedAt, secondFactorAt: new Date() } });
    await db().identity.create({
      data: { id: newId('identity'), userId: id, issuer: 'https://a.test', subject: id },
    });
    const { token } = await invited(email);
    expect(await accept(token, { password: PASSWORD })).toMatchObject({ status: 'accepted' });
    expect(await signIn({ email, password: PASSWORD }, caller)).toMatchObject({
      status: left > 0 ? 'second_step' : 'signed_in',
    });
    expect(await db().passkey.count({ where: { userId: id } })).toBe(left);
    expect(await db().identity.count({ where: { userId: id } })).toBe(left);
  });

  it('[N1 N6] of an account without a password says so, as often as it takes, and stays good', async () => {
    const { id, email, passwordHash } = await makeAccount();
    await db().user.update({ where: { id }, data: { passwordHash: NO_PASSWORD } });
    const { token } = await invited(email);
    for (let nth = 0; nth < 9; nth += 1)
      expect(await accept(token, { password: 'a guess' })).toEqual({ status: 'no_password' });
    const body = { token, password: 'a guess' };
    const answer = await callWith(null, postAccept, { method: 'POST', body });
    expect([answer.status, (await answer.json()).code]).toEqual([409, 'NO_PASSWORD']);
    await db().user.update({ where: { id }, data: { passwordHash } });
    expect(await accept(token, { password: PASSWORD })).toMatchObject({ status: 'accepted' });
  });

  it('[N1] is used once, also by many at once', async () => {
    const fresh = await invited();
    const all = await Promise.all(Array.from({ length: 4 }, () => accept(fresh.token)));
    expect(all.filter(({ status }) => status === 'accepted')).toHaveLength(1);
    expect(await accept(fresh.token)).toEqual({ status: 'invalid' });
    const user = await makeAccount();
    const known = await invited(user.email);
    const again = await Promise.all(
      Array.from({ length: 4 }, () => accept(known.token, { password: PASSWORD })),
    );
    expect(again.filter(({ status }) => status === 'accepted')).toHaveLength(1);
    expect(await db().user.count({ where: { email: fresh.email } })).toBe(1);
  });

  it('[N1] that has run out, was replaced, or is none, is refused, and nothing changes', async () => {
    const [old, replaced] = [await invited(), await invited()];
    await db().invitation.updateMany({ where: { email: old.email }, data: { expiresAt: new Date(0) } });
    await invited(replaced.email);
    for (const token of [old.token, replaced.token, '', 'x', 'x'.repeat(43), `${old.token}x`]) {
      expect(await lookAtInvitation(token, caller), token).toBeNull();
      expect(await accept(token), token).toEqual({ status: 'invalid' });
    }
    expect(await db().user.count({ where: { email: { in: [old.email, replaced.email] } } })).toBe(0);
  });

  it('[N1] is no good once the account was banned, or is an admin’s', async () => {
    const [banned, admin] = [await makeAccount(), await makeAccount()];
    const [first, second] = [await invited(banned.email), await invited(admin.email)];
    await db().user.update({ where: { id: banned.id }, data: { bannedAt: new Date() } });
    await db().user.update({ where: { id: admin.id }, data: { role: 'admin' } });
    for (const { token } of [first, second])
      expect(await accept(token, { password: PASSWORD })).toEqual({ status: 'invalid' });
    expect(await db().user.findUniqueOrThrow({ where: { id: admin.id } })).toMatchObject({ role: 'admin' });
  });

  it('[N1] is no good once whoever made it is banned, or may invite nobody any more', async () => {
    const boss = await makeAccount('admin');
    const actor = { userId: boss.id, role: 'admin' as const };
    const before = { role: 'admin' as const, level: 0 };
    const [banned, demoted] = [await makeAccount('admin'), await makeAccount('admin')];
    const links = await Promise.all(
      [banned, demoted, boss].map(({ id }) =>
        inviteStaff({ email: newEmail(), role: 'admin', invitedBy: { userId: id, role: 'admin' } }),
      ),
    );
    expect(await banUser(actor, banned.id, 'left')).toMatchObject({ status: 'changed' });
    expect(await editUser(actor, demoted.id, { before, role: 'support' })).toMatchObject({
      status: 'changed',
    });
    const statuses: string[] = [];
    for (const link of links) {
      if (link.status !== 'invited') throw new Error(link.status);
      statuses.push((await accept(new URL(link.url).hash.slice(1))).status);
    }
    expect(statuses).toEqual(['invalid', 'invalid', 'accepted']);
  });

  it('[N1] for a new account wants a name and a password that is long enough; the link stays good', async () => {
    const { token } = await invited();
    expect(await accept(token, { name: undefined })).toMatchObject({
      status: 'incomplete',
      fields: [{ path: 'name' }],
    });
    expect(await accept(token, { password: 'short' })).toMatchObject({ fields: [{ path: 'password' }] });
    expect(await accept(token)).toMatchObject({ status: 'accepted' });
  });

  it('[N4] links that are wrong cost growing waits', async () => {
    const { token } = await invited();
    let refused = 0;
    while ((await lookAtInvitation(`wrong ${refused}`, caller)) === null) refused += 1;
    // Where a machine stands still a short wait may pass meanwhile.
    expect(refused).toBeGreaterThanOrEqual(20);
    expect(refused).toBeLessThan(27);
    expect(await accept(token)).toEqual({ status: 'limited', waitMs: expect.any(Number) });
    expect(
      await acceptInvitation({ token, password: 'long enough', name: 'x' }, { ...caller, address: '::1' }),
    ).toMatchObject({
      status: 'accepted',
    });
  });

  it('[N7] outside the demo takes nobody into a demo account', async () => {
    const { id, email } = await makeAccount();
    await db().user.update({ where: { id }, data: { isDemo: true } });
    const settings = env();
    settings.isDemo = false;
    try {
      expect(await inviteStaff({ email, role: 'admin', invitedBy: 'command' })).toEqual({
        status: 'demo_account',
      });
    } finally {
      settings.isDemo = true;
    }
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GET as sales } from '@/app/api/admin/sales/route';
import { GET as list } from '@/app/api/admin/users/route';
import { sealSecret } from '@/lib/account/factors/seal-secret';
import { createTotpSecret } from '@/lib/account/factors/totp';
import { listUsers } from '@/lib/account/list-users';
import type { Actor } from '@/lib/actor/actor';
import { addBlock } from '@/lib/block/admin/add-block';
import { findBlock } from '@/lib/block/find-block';
import { watchBlocks } from '@/lib/block/watch-blocks';
import { closeDb, db } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { callWith, sessionOf } from '@/test/support/call-as';
import { keepMailsApart } from '@/test/support/keep-mails-apart';
import { makePasskey } from '@/test/support/make-passkey';
import { makeUser } from '@/test/support/make-sale';
import { banUser, unbanUser } from './ban-user';
import { editUser } from './edit-user';
import { removeFactors } from './remove-factors';
import { revokeSessions } from './revoke-sessions';

const mails = keepMailsApart();
let admin: Actor;

beforeAll(async () => {
  await watchBlocks();
  admin = await makeUser('admin');
});
afterAll(async () => {
  await closeRedis();
  await closeDb();
});

const asShopper = { role: 'shopper', level: 0 } as const;
/** Returns the status of a request to the admin area with a session. */
const statusOf = async (session: string) => (await callWith(session, sales)).status;
const recordedOf = async (subjectId: string) =>
  (await db().auditEntry.findMany({ where: { subjectId }, orderBy: { id: 'asc' } })).map(
    ({ action, actorId, before, after, reason }) => ({ action, actorId, before, after, reason }),
  );

describe('an account', () => {
  it('[L4] gets another role and level; a new role ends its sessions at once', async () => {
    const { userId } = await makeUser();
    const session = await sessionOf(userId);
    expect(await statusOf(session)).toBe(403);
    expect(await editUser(admin, userId, { level: 3, before: asShopper })).toMatchObject({
      status: 'changed',
      user: { role: 'shopper', level: 3 },
    });
    expect(await statusOf(session)).toBe(403);
    const before = { role: 'shopper', level: 3 } as const;
    expect(await editUser(admin, userId, { role: 'auditor', before })).toMatchObject({
      status: 'changed',
      user: { role: 'auditor', level: 3 },
    });
    expect(await statusOf(session)).toBe(401);
    expect(await statusOf(await sessionOf(userId))).toBe(200);
    const by = { action: 'user.edit', actorId: admin.userId, reason: null };
    expect(await recordedOf(userId)).toEqual([
      { ...by, before: { level: 0 }, after: { level: 3 } },
      { ...by, before: { role: 'shopper' }, after: { role: 'auditor' } },
    ]);
  });

  it('[L4] is not changed on the word of somebody who saw it otherwise, nor by what it is already', async () => {
    const { userId } = await makeUser();
    const session = await sessionOf(userId);
    const seen = { role: 'merchant', level: 0 } as const;
    expect(await editUser(admin, userId, { level: 9, before: seen })).toMatchObject({
      status: 'conflict',
      user: asShopper,
    });
    await editUser(admin, userId, { ...asShopper, before: asShopper });
    expect(await statusOf(session)).toBe(403);
    expect(await recordedOf(userId)).toEqual([]);
    expect(await editUser(admin, 'user_nobody', { level: 1, before: asShopper })).toEqual({
      status: 'not_found',
    });
  });

  it('[L4] is signed out everywhere', async () => {
    const { userId } = await makeUser('merchant');
    const sessions = [await sessionOf(userId), await sessionOf(userId)];
    for (const session of sessions) expect(await statusOf(session)).toBe(200);
    expect(await revokeSessions(admin, userId)).toMatchObject({ status: 'changed', user: { userId } });
    for (const session of sessions) expect(await statusOf(session)).toBe(401);
    expect(await statusOf(await sessionOf(userId))).toBe(200);
    expect(await revokeSessions(admin, 'user_nobody')).toEqual({ status: 'not_found' });
    expect(await recordedOf(userId)).toMatchObject([
      { action: 'user.revoke_sessions', before: { sessionVersion: 0 }, after: { sessionVersion: 1 } },
    ]);
  });

  it('[N5 L4] loses the second factor that its owner has lost, and is signed out', async () => {
    const { userId } = await makeUser('merchant');
    await db().user.update({ where: { id: userId }, data: { secondFactorAt: new Date() } });
    const secret = { ...sealSecret(userId, createTotpSecret()), sessionId: 'one' };
    await db().totpFactor.create({ data: { userId, ...secret, confirmedAt: new Date() } });
    await db().recoveryCode.create({ data: { userId, codeHash: '0'.repeat(64) } });
    await makePasskey(userId);
    const session = await sessionOf(userId);
    const removed = { status: 'changed', user: { userId, secondFactorAt: null } };
    expect(await removeFactors(admin, userId)).toMatchObject(removed);
    expect(await removeFactors(admin, userId)).toMatchObject(removed);
    expect(await db().totpFactor.count({ where: { userId } })).toBe(0);
    expect(await db().recoveryCode.count({ where: { userId } })).toBe(0);
    expect(await db().passkey.count({ where: { userId } })).toBe(0);
    expect(await statusOf(session)).toBe(401);
    expect(await statusOf(await sessionOf(userId))).toBe(200);
    expect(await recordedOf(userId)).toMatchObject([
      { action: 'user.remove_factors', actorId: admin.userId, after: { secondFactorAt: null } },
    ]);
    await mails.only(`factorRemoved-${userId}`);
    expect(await removeFactors(admin, 'user_nobody')).toEqual({ status: 'not_found' });
    expect(await removeFactors(admin, admin.userId)).toEqual({ status: 'own_account' });
  });

  it('[B6 L4] is banned: signed out and blocked at once, until it is let in again', async () => {
    const { userId } = await makeUser('merchant');
    const session = await sessionOf(userId);
    const first = await banUser(admin, userId, 'resells');
    expect(first).toMatchObject({ status: 'changed', user: { bannedAt: expect.any(Number) } });
    expect(await banUser(admin, userId, 'again')).toEqual(first);
    expect(await statusOf(session)).toBe(401);
    expect(await statusOf(await sessionOf(userId))).toBe(401);
    expect(findBlock({ userId })).toEqual({ kind: 'user', expiresAt: null });
    expect(await unbanUser(admin, userId)).toMatchObject({ status: 'changed', user: { bannedAt: null } });
    expect(await unbanUser(admin, userId)).toMatchObject({ status: 'changed', user: { bannedAt: null } });
    expect(findBlock({ userId })).toBeNull();
    expect(await statusOf(session)).toBe(401);
    expect(await statusOf(await sessionOf(userId))).toBe(200);
    expect(await recordedOf(userId)).toMatchObject([
      { action: 'user.ban', before: { bannedAt: null }, reason: 'resells' },
      { action: 'user.unban', after: { bannedAt: null } },
    ]);
    expect(await banUser(admin, 'user_nobody', 'x')).toEqual({ status: 'not_found' });
    expect(await unbanUser(admin, 'user_nobody')).toEqual({ status: 'not_found' });
  });

  it('[L4] that was blocked before is banned all the same', async () => {
    const { userId } = await makeUser();
    await addBlock(admin, { kind: 'user', value: userId, reason: 'bot' });
    expect(await banUser(admin, userId, 'x')).toMatchObject({ user: { bannedAt: expect.any(Number) } });
    expect(findBlock({ userId })).not.toBeNull();
  });
});

describe('admins', () => {
  const asAdmin = { role: 'admin', level: 0 } as const;

  it("[L4] can't take the admin area away from themselves", async () => {
    expect(await editUser(admin, admin.userId, { role: 'shopper', before: asAdmin })).toEqual({
      status: 'own_account',
    });
    expect(await banUser(admin, admin.userId, 'x')).toEqual({ status: 'own_account' });
    expect(findBlock({ userId: admin.userId })).toBeNull();
  });

  it('[L4] who take the role from each other at once leave one', async () => {
    const other = await makeUser('admin');
    for (const takeBoth of [
      () => [
        editUser(admin, other.userId, { role: 'shopper', before: asAdmin }),
        editUser(other, admin.userId, { role: 'shopper', before: asAdmin }),
      ],
      () => [banUser(admin, other.userId, 'x'), banUser(other, admin.userId, 'x')],
    ]) {
      const results = (await Promise.all(takeBoth())).map(({ status }) => status);
      expect(results.sort()).toEqual(['changed', 'last_admin']);
      expect(await db().user.count({ where: { role: 'admin', bannedAt: null } })).toBe(1);
      await db().user.updateMany({
        where: { id: { in: [admin.userId, other.userId] } },
        data: { role: 'admin', bannedAt: null },
      });
    }
    for (const { userId } of [admin, other])
      expect(await db().block.count({ where: { value: userId } })).toBeLessThan(2);
  });

  it.each(['operator', 'auditor', 'merchant'] as const)(
    '[L4] alone change accounts, not a %s',
    async (role) => {
      const actor = await makeUser(role);
      const { userId } = await makeUser();
      for (const attempt of [
        async () => editUser(actor, userId, { role: 'admin', before: asShopper }),
        async () => revokeSessions(actor, userId),
        async () => removeFactors(actor, userId),
        async () => banUser(actor, userId, 'x'),
        async () => unbanUser(actor, userId),
      ])
        await expect(attempt()).rejects.toThrow(`a ${role} may not`);
    },
  );
});

describe('accounts', () => {
  it('[L4] are found by address, id, role and ban, page by page, without their passwords', async () => {
    const made = await Promise.all(Array.from({ length: 3 }, () => makeUser('support')));
    const ids = made
      .map(({ userId }) => userId)
      .sort()
      .reverse();
    const found = await listUsers({ limit: 2 }, { role: 'support' });
    const rest = await listUsers({ limit: 2, cursor: found.nextCursor ?? '' }, { role: 'support' });
    expect([...found.users, ...rest.users].map(({ userId }) => userId)).toEqual(ids);
    expect(rest.nextCursor).toBeNull();
    const one = ids[0] ?? '';
    for (const search of [one, `${one}@EXAMPLE`])
      expect((await listUsers({ limit: 9 }, { search })).users.map(({ userId }) => userId)).toEqual([one]);
    await banUser(admin, one, 'x');
    const banned = await listUsers({ limit: 9 }, { role: 'support', state: 'banned' });
    expect(banned.users.map(({ userId }) => userId)).toEqual([one]);
    const session = await sessionOf(admin.userId);
    const answer = await callWith(session, list, { query: { search: one } });
    const text = await answer.text();
    expect(JSON.parse(text).users).toHaveLength(1);
    expect(text).not.toMatch(/password/i);
    for (const search of ['%', '_', '\\', "'", '%@example.com', one.replace('_', '%'), 'x'.repeat(254)]) {
      const none = await callWith(session, list, { query: { search } });
      expect(none.status, search).toBe(200);
      expect((await none.json()).users, search).toEqual([]);
    }
    expect((await callWith(session, list, { query: { search: '\0' } })).status).toBe(422);
    expect((await callWith(session, list, { query: { role: 'king' } })).status).toBe(422);
  });
});

import { expect, it } from 'vitest';
import { DEMO_ACCOUNTS } from '@/lib/account/demo-accounts';
import { db } from '@/lib/db/client';
import { makeUser } from '@/test/support/make-sale';
import { inviteFirstAdmin } from './invite-first-admin';

const open = () => db().invitation.findMany({ where: { withdrawnAt: null, usedAt: null } });

it('[N1] the first admin is invited at every start for as long as nobody is admin; an admin of the demo is nobody', async () => {
  const { userId } = await makeUser('admin');
  const email = DEMO_ACCOUNTS.find(({ role }) => role === 'admin')?.email ?? '';
  await db().user.update({ where: { id: userId }, data: { email } });
  expect(await inviteFirstAdmin(undefined)).toEqual({ status: 'nobody_named' });
  expect(await inviteFirstAdmin('ann@example.com')).toMatchObject({ status: 'invited' });
  expect(await inviteFirstAdmin('Ann@Example.com')).toMatchObject({ status: 'invited' });
  expect((await open()).map((one) => [one.email, one.role])).toEqual([['ann@example.com', 'admin']]);

  const real = await makeUser('admin');
  expect(await inviteFirstAdmin('ben@example.com')).toEqual({ status: 'has_admin' });
  expect(await open()).toHaveLength(1);
  // A banned admin can't let anyone in.
  await db().user.update({ where: { id: real.userId }, data: { bannedAt: new Date() } });
  expect(await inviteFirstAdmin('ben@example.com')).toMatchObject({ status: 'invited' });
});

it('[N1] nonsense invites nobody', async () => {
  await db().user.updateMany({ where: { role: 'admin' }, data: { role: 'shopper' } });
  const before = await db().invitation.count();
  expect(await inviteFirstAdmin('nobody')).toEqual({ status: 'email_invalid' });
  expect(await db().invitation.count()).toBe(before);
});

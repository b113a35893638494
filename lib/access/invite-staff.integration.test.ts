import { expect, it } from 'vitest';
import { db } from '@/lib/db/client';
import { makeUser } from '@/test/support/make-sale';
import { inviteStaff } from './invite-staff';

const invite = (email: string, role: 'support' | 'admin' | 'merchant' = 'support') =>
  inviteStaff({ email, role, invitedBy: 'command' });
const HOUR_MS = 3_600_000;

it('[N1] an invitation is a link for 72 hours, of which the database keeps only the hash', async () => {
  const before = Date.now();
  const result = await invite(' Ann@Example.COM ');
  if (result.status !== 'invited') throw new Error(result.status);
  expect(result.url).toMatch(/^http:\/\/localhost:3999\/invite#[\w-]{43}$/);
  expect(result.expiresAt).toBeGreaterThanOrEqual(before + 72 * HOUR_MS);
  expect(result.expiresAt).toBeLessThanOrEqual(Date.now() + 72 * HOUR_MS);
  const row = await db().invitation.findFirstOrThrow({ where: { email: 'ann@example.com' } });
  expect(row).toMatchObject({ role: 'support', invitedBy: 'command', usedAt: null, withdrawnAt: null });
  expect(JSON.stringify(row)).not.toContain(result.url.split('#')[1]);
  const [entry] = await db().auditEntry.findMany({ where: { subjectId: row.id } });
  expect(entry).toMatchObject({
    actorId: 'command',
    action: 'invitation.create',
    after: { email: 'ann@example.com', role: 'support', expiresAt: result.expiresAt },
  });
});

it('[N1] a later invitation of the same address takes the place of the one before, also of two at once', async () => {
  await Promise.all([1, 2, 3, 4].map(() => invite('ben@example.com')));
  await invite('ben@example.com', 'admin');
  const rows = await db().invitation.findMany({ where: { email: 'ben@example.com' } });
  expect(rows).toHaveLength(5);
  expect(rows.filter(({ withdrawnAt }) => withdrawnAt === null).map(({ role }) => role)).toEqual(['admin']);
});

it('[N1] nobody is invited to what they are, nor an admin, nor who is banned; a merchant may become admin', async () => {
  const [merchant, admin, banned] = [
    await makeUser('merchant'),
    await makeUser('admin'),
    await makeUser('support'),
  ];
  await db().user.update({ where: { id: banned.userId }, data: { bannedAt: new Date() } });
  const emailOf = ({ userId }: { userId: string }) => `${userId}@example.com`;
  expect(await invite(emailOf(merchant), 'merchant')).toEqual({ status: 'already_staff', role: 'merchant' });
  expect(await invite(emailOf(admin), 'support')).toEqual({ status: 'already_staff', role: 'admin' });
  expect(await invite(emailOf(banned), 'merchant')).toEqual({ status: 'banned' });
  expect(await invite(emailOf(merchant), 'admin')).toMatchObject({ status: 'invited' });
});

it.each(['', 'nobody', 'a@b', 'a b@example.com', `${'x'.repeat(250)}@example.com`, 'a\0@example.com'])(
  '[N1] %j is no address to invite',
  async (email) => {
    expect(await invite(email)).toEqual({ status: 'email_invalid' });
  },
);

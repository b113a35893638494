import { afterAll, beforeEach, expect, it } from 'vitest';
import { GET as exportAudit } from '@/app/api/admin/audit/export/route';
import { GET as exportBlocks } from '@/app/api/admin/blocks/export/route';
import { GET as exportOrders } from '@/app/api/admin/orders/export/route';
import { GET as listUsers } from '@/app/api/admin/users/route';
import { verifyChain } from '@/lib/audit/verify-chain';
import { closeDb, db } from '@/lib/db/client';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { noteEvent, takeEvents } from '@/lib/security/note-event';
import { callWith, sessionOf } from '@/test/support/call-as';
import { makeAccount, PASSWORD } from '@/test/support/make-account';
import { makeUser } from '@/test/support/make-sale';
import { signIn } from './sign-in';
import { writeSecurityLog } from './write-security-log';

const ADDRESS = '203.0.113.4';
const caller = { address: ADDRESS, headers: new Headers() };

beforeEach(async () => {
  await cacheRedis().flushdb();
  takeEvents(0, true);
});
afterAll(() => Promise.all([closeRedis(), closeDb()]));

const entriesOf = (action: string) => db().auditEntry.findMany({ where: { action }, orderBy: { id: 'asc' } });

it('[N9] sign-ins and failures are entries: by whom, from where, how often', async () => {
  const { id, email } = await makeAccount('support');
  for (let n = 0; n < 3; n += 1) await signIn({ email, password: 'wrong' }, caller);
  await signIn({ email: 'nobody-here@example.com', password: 'wrong' }, caller);
  await signIn({ email, password: PASSWORD }, caller);
  await writeSecurityLog(true);
  expect(await entriesOf('session.start')).toMatchObject([
    { actorId: id, actorRole: 'support', subjectId: id, after: { address: ADDRESS, count: 1 } },
  ]);
  expect(await entriesOf('session.refuse')).toMatchObject([
    { actorId: 'system', subjectKind: 'user', subjectId: id, after: { address: ADDRESS, count: 3 } },
    { subjectKind: 'account', subjectId: 'unknown', after: { address: ADDRESS, count: 1 } },
  ]);
  expect(
    JSON.stringify(await entriesOf('session.refuse'), (_, v) => (typeof v === 'bigint' ? 0 : v)),
  ).not.toContain('nobody-here');
  expect(await verifyChain()).toMatchObject({ ok: true });
});

it('[N9] what somebody is refused who is signed in is an entry, with how often', async () => {
  const { userId } = await makeUser('merchant');
  const session = await sessionOf(userId);
  for (let n = 0; n < 5; n += 1) expect((await callWith(session, listUsers)).status).toBe(403);
  await writeSecurityLog(true);
  expect(await entriesOf('access.refuse')).toMatchObject([
    { actorId: userId, actorRole: 'merchant', subjectId: 'manageUsers', after: { count: 5 } },
  ]);
});

it('[N9] an export is an entry before its first piece is given', async () => {
  const { userId } = await makeUser('admin');
  const session = await sessionOf(userId);
  const handlers = [exportOrders, exportAudit, exportBlocks];
  for (const handler of handlers) await (await callWith(session, handler)).body?.cancel();
  expect(await entriesOf('export.download')).toMatchObject(
    ['orders', 'audit', 'blocks'].map((subjectId) => ({ actorId: userId, subjectId })),
  );
});

it('[N9] a flood of failures is a hundred entries and one, written at once; the log stays whole', async () => {
  for (let n = 0; n < 10_000; n += 1)
    noteEvent({
      action: 'session.refuse',
      actor: { userId: 'system', role: 'system' },
      subject: { kind: 'user', id: `user_flood_${n % 1_000}` },
      facts: { address: ADDRESS },
    });
  const before = await db().auditEntry.count();
  await writeSecurityLog(true);
  expect((await db().auditEntry.count()) - before).toBe(101);
  expect(await verifyChain()).toMatchObject({ ok: true });
});

it('[N9] what can’t be written now is written later', async () => {
  const event = {
    action: 'access.refuse' as const,
    actor: { userId: 'user_later', role: 'support' },
    subject: { kind: 'permission', id: 'manageSales' },
    facts: {},
  };
  noteEvent(event);
  await db().$executeRaw`ALTER TABLE audit_entries RENAME TO audit_entries_away`;
  try {
    await writeSecurityLog(true);
  } finally {
    await db().$executeRaw`ALTER TABLE audit_entries_away RENAME TO audit_entries`;
  }
  await writeSecurityLog(true);
  await writeSecurityLog(true);
  const written = await db().auditEntry.findMany({ where: { actorId: 'user_later' } });
  expect(written).toMatchObject([{ after: { count: 1 } }]);
});

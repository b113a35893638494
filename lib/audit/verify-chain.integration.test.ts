import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/lib/db/client';
import type { Prisma } from '@/prisma/generated/client';
import { hashEntry } from './hash-entry';
import { recordAction } from './record-action';
import { verifyChain } from './verify-chain';

const actor = { userId: 'user_admin', role: 'admin' };
/** Long, for a busy machine. */
const PATIENCE = { maxWait: 30_000, timeout: 30_000 };

/** Changes the log as the owner of the database could. */
const asOwner = (...statements: string[]) =>
  db().$transaction(async (tx) => {
    await tx.$executeRawUnsafe('ALTER TABLE audit_entries DISABLE TRIGGER USER');
    for (const statement of statements) await tx.$executeRawUnsafe(statement);
    await tx.$executeRawUnsafe('ALTER TABLE audit_entries ENABLE TRIGGER USER');
  }, PATIENCE);

const copyOf = (id: number, as: string, hash: string) =>
  `INSERT INTO audit_entries SELECT ${as}, at, actor_id, actor_role, action, subject_kind, subject_id, before, after, reason,
     previous_hash, ${hash} FROM audit_entries WHERE id = ${id}`;

const pauseOf = (n: number) => ({
  action: 'sale.pause',
  subject: { kind: 'sale', id: `s${n}` },
  before: { paused: false },
  after: { paused: true },
});

const record = (count: number) =>
  db().$transaction(async (tx) => {
    for (let n = 0; n < count; n += 1) await recordAction(tx, actor, pauseOf(n));
  }, PATIENCE);

/**
 * Records what `recordAction` would, one after the other, but in one statement: a thousand calls take a while on a
 * busy machine.
 */
async function recordAtOnce(count: number): Promise<void> {
  const head = await db().auditHead.findFirstOrThrow();
  const entries: Prisma.AuditEntryCreateManyInput[] = [];
  for (let n = 0; n < count; n += 1) {
    const { subject, ...rest } = pauseOf(n);
    const entry = {
      id: head.id + BigInt(n + 1),
      at: new Date(),
      actorId: actor.userId,
      actorRole: actor.role,
      ...rest,
      subjectKind: subject.kind,
      subjectId: subject.id,
      reason: null,
      previousHash: head.hash,
    };
    head.hash = hashEntry(entry);
    entries.push({ ...entry, hash: head.hash });
  }
  await db().$transaction([
    db().auditEntry.createMany({ data: entries }),
    db().auditHead.updateMany({ data: { id: head.id + BigInt(count), hash: head.hash } }),
  ]);
}

beforeEach(async () => {
  await asOwner('DELETE FROM audit_entries', `UPDATE audit_head SET id = 0, hash = '${'0'.repeat(64)}'`);
  await record(6);
});

describe('the audit log', () => {
  it('[L4] is found whole, over more than one batch too', async () => {
    expect(await verifyChain()).toMatchObject({ ok: true, entries: 6, checkedAt: expect.any(Number) });
    await recordAtOnce(1_100);
    const whole = await verifyChain();
    expect(whole).toMatchObject({ ok: true, entries: 1_106 });
    const { hash } = await db().auditEntry.findFirstOrThrow({ orderBy: { id: 'desc' } });
    expect(whole.detail).toContain(hash);
    expect(whole.lastHash).toBe(hash);
    await asOwner("UPDATE audit_entries SET reason = 'x' WHERE id IN (999, 1000, 1001)");
    const { ok, detail } = await verifyChain();
    expect({ ok, detail }).toEqual({
      ok: false,
      detail: 'entry 999 was changed; entry 1000 was changed; entry 1001 was changed',
    });
  });

  it('[L4] is found whole when nothing was recorded yet', async () => {
    await asOwner('DELETE FROM audit_entries', `UPDATE audit_head SET id = 0, hash = '${'0'.repeat(64)}'`);
    expect(await verifyChain()).toMatchObject({ ok: true, entries: 0, lastHash: null });
  });

  it.each([
    ['action', "action = 'sale.resume'"],
    ['actor', "actor_id = 'user_other'"],
    ['role', "actor_role = 'merchant'"],
    ['time', "at = at + interval '1 ms'"],
    ['subject', "subject_id = 's9'"],
    ['kind of subject', "subject_kind = 'order'"],
    ['state before', 'before = NULL'],
    ['state after', `after = '{"paused": false}'`],
    ['reason', "reason = 'because'"],
    ['hash', "hash = repeat('1', 64)"],
  ])('[L4] shows an entry whose %s was changed', async (_, change) => {
    await asOwner(`UPDATE audit_entries SET ${change} WHERE id = 3`);
    const { ok, detail } = await verifyChain();
    expect(ok).toBe(false);
    expect(detail).toContain('entry 3 was changed');
  });

  it('[L4] shows an entry that was changed and hashed anew, the last one too', async () => {
    for (const id of [3n, 6n]) {
      const { hash: _, ...entry } = await db().auditEntry.findUniqueOrThrow({ where: { id } });
      const forged = { ...entry, actorId: 'user_other' };
      await asOwner(
        `UPDATE audit_entries SET actor_id = 'user_other', hash = '${hashEntry(forged)}' WHERE id = ${id}`,
      );
    }
    expect(await verifyChain()).toMatchObject({
      ok: false,
      detail: 'entry 3 was replaced; entry 6 was replaced',
    });
  });

  it.each([
    ['the first', '1', 'entry 1 is missing'],
    ['one in the middle', '3', 'entry 3 is missing'],
    ['several', '3, 4', 'entries 3 to 4 are missing'],
    ['the last', '6', 'entry 6 is missing'],
    ['all', '1, 2, 3, 4, 5, 6', 'entries 1 to 6 are missing'],
  ])('[L4] shows that %s was taken out', async (_, ids, detail) => {
    await asOwner(`DELETE FROM audit_entries WHERE id IN (${ids})`);
    expect(await verifyChain()).toMatchObject({ ok: false, detail });
  });

  it('[L4] shows an entry that was put in, at either end or in the place of another', async () => {
    await asOwner(copyOf(6, '7', "repeat('7', 64)"), copyOf(1, '0', "repeat('5', 64)"));
    expect((await verifyChain()).detail).toMatch(/entry 0 was put in.*entry 7 was put in/);
    await asOwner('DELETE FROM audit_entries WHERE id IN (0, 4, 7)', copyOf(3, '4', "repeat('4', 64)"));
    expect((await verifyChain()).detail).toContain('entry 4 was changed');
  });

  it('[L4] says so when its end was forgotten', async () => {
    await asOwner(
      'ALTER TABLE audit_head DISABLE TRIGGER USER',
      'DELETE FROM audit_head',
      'ALTER TABLE audit_head ENABLE TRIGGER USER',
    );
    expect(await verifyChain()).toMatchObject({ ok: false, detail: 'nothing says where it ends' });
    await expect(record(1)).rejects.toThrow(/lost its head/);
    await asOwner(
      'INSERT INTO audit_head (id, hash) SELECT id, hash FROM audit_entries ORDER BY id DESC LIMIT 1',
    );
  });
});

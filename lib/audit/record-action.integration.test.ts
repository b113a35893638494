import { expect, it } from 'vitest';
import { db } from '@/lib/db/client';
import { hashEntry } from './hash-entry';
import { recordAction } from './record-action';

const actor = { userId: 'user_merchant', role: 'merchant' };
const action = (id: string) => ({
  action: 'sale.pause',
  subject: { kind: 'sale', id },
  before: { paused: false, z: 1, a: undefined },
  after: { paused: true },
});

it('[L4] actions recorded at once form one chain, each with the hash of the one before', async () => {
  await Promise.all(
    Array.from({ length: 20 }, (_, i) => db().$transaction((tx) => recordAction(tx, actor, action(`s${i}`)))),
  );
  await db()
    .$transaction(async (tx) => {
      await recordAction(tx, actor, action('undone'));
      throw new Error('undone');
    })
    .catch(() => {});
  const entries = await db().auditEntry.findMany({ orderBy: { id: 'asc' } });
  expect(entries.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, i) => BigInt(i + 1)));
  let previousHash = '0'.repeat(64);
  for (const { hash, ...entry } of entries) {
    expect(entry.previousHash).toBe(previousHash);
    expect(hash).toBe(hashEntry(entry));
    previousHash = hash;
  }
});

it('[L4] what was recorded can be neither changed nor taken out', async () => {
  for (const statement of [
    `UPDATE audit_entries SET action = 'x'`,
    'DELETE FROM audit_entries',
    'TRUNCATE audit_entries',
  ]) {
    await expect(db().$executeRawUnsafe(statement)).rejects.toThrow(/append-only/);
  }
});

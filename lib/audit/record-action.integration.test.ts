import { readFileSync } from 'node:fs';
import pg from 'pg';
import { expect, it } from 'vitest';
import { db } from '@/lib/db/client';
import { FIRST_HASH, hashEntry } from './hash-entry';
import { recordAction } from './record-action';

const actor = { userId: 'user_merchant', role: 'merchant' };
const action = (id: string) => ({
  action: 'sale.pause',
  subject: { kind: 'sale', id },
  before: { paused: false, z: 1, a: undefined },
  after: { paused: true },
});

it('[L4] actions recorded at once form one chain, each with the hash of the one before', async () => {
  // On a busy machine each transaction waits for those before it.
  const patience = { maxWait: 30_000, timeout: 30_000 };
  const record = (i: number) => db().$transaction((tx) => recordAction(tx, actor, action(`s${i}`)), patience);
  await Promise.all(Array.from({ length: 10 }, (_, i) => record(i)));
  await db()
    .$transaction(async (tx) => {
      await recordAction(tx, actor, action('undone'));
      throw new Error('undone');
    })
    .catch(() => {});
  const entries = await db().auditEntry.findMany({ orderBy: { id: 'asc' } });
  expect(entries.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, i) => BigInt(i + 1)));
  let previousHash: string = FIRST_HASH;
  for (const { hash, ...entry } of entries) {
    expect(entry.previousHash).toBe(previousHash);
    expect(hash).toBe(hashEntry(entry));
    previousHash = hash;
  }
});

it('[L4] what Postgres stores otherwise than it was sent is hashed as it is stored', async () => {
  await db().$transaction((tx) =>
    recordAction(
      tx,
      { ...actor, userId: 'half \ud83d' },
      {
        ...action('half \ude00'),
        before: { text: 'half \ud83d', number: 1e21, zero: -0, gone: undefined, none: Number.NaN },
        reason: 'half \ud83d and whole 😀',
      },
    ),
  );
  const { hash, ...entry } = await db().auditEntry.findFirstOrThrow({ orderBy: { id: 'desc' } });
  expect(entry.reason).toBe('half \ufffd and whole 😀');
  expect(hash).toBe(hashEntry(entry));
});

it('[L4] what was recorded can be neither changed nor taken out', async () => {
  for (const statement of [
    `UPDATE audit_entries SET action = 'x'`,
    'DELETE FROM audit_entries',
    'TRUNCATE audit_entries',
    'DELETE FROM audit_head',
    'TRUNCATE audit_head',
  ]) {
    await expect(db().$executeRawUnsafe(statement)).rejects.toThrow(/append-only/);
  }
});

it('[L4] a role of the application’s own can add to the log and has no right to change it', async () => {
  const role = `app_${process.pid}`;
  const grants = readFileSync('deploy/postgres/app-role.sql', 'utf8').replaceAll('seckill_app', role);
  const url = new URL(process.env.DATABASE_URL ?? '');
  const owner = new pg.Client({ connectionString: url.href });
  await owner.connect();
  try {
    await owner.query(`CREATE ROLE ${role}`);
    await owner.query(grants);
    await owner.query(`SET ROLE ${role}`);
    for (const statement of [
      "UPDATE audit_entries SET action = 'x'",
      'DELETE FROM audit_entries',
      'TRUNCATE audit_entries',
      'ALTER TABLE audit_entries DISABLE TRIGGER USER',
      'DELETE FROM audit_head',
      "UPDATE order_events SET cause = 'x'",
    ])
      await expect(owner.query(statement), statement).rejects.toThrow(/permission denied|must be owner/);
    await owner.query('RESET ROLE');
    await db().$transaction(async (tx) => {
      await tx.$executeRawUnsafe(`SET LOCAL ROLE ${role}`);
      await recordAction(tx, actor, action('as the application'));
    });
    const where = { subjectId: 'as the application' };
    expect(await db().auditEntry.count({ where })).toBe(1);
  } finally {
    await owner.query(`RESET ROLE; DROP OWNED BY ${role}; DROP ROLE ${role}`);
    await owner.end();
  }
});

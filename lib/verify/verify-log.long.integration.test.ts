import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LogHead, LogReceipt } from '@/lib/contract/shapes/decision-log';
import { db } from '@/lib/db/client';
import { fromBase64url } from '@/lib/decision-log/proof/bytes';
import { checkReceipt } from '@/lib/decision-log/proof/check-receipt';
import { headText } from '@/lib/decision-log/proof/head-text';
import { nodeSha256 } from '@/lib/decision-log/pseudonym';
import { publishLogs } from '@/lib/decision-log/publish-logs';
import { readConsistency } from '@/lib/decision-log/read-consistency';
import { readLatestHead } from '@/lib/decision-log/read-heads';
import { readLogReceipt } from '@/lib/decision-log/read-log-receipt';
import { signHead } from '@/lib/decision-log/sign-head';
import { type SigningKey, signingKey, toSigningKey } from '@/lib/decision-log/signing-key';
import { isConsistent } from '@/lib/decision-log/testing/is-consistent';
import { LogTiles } from '@/lib/decision-log/tiles';
import { buyForAll, createSaleFixture, type SaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { createOrders } from '@/lib/settlement/create-orders';
import { verifyLog } from './verify-log';

/** Changes the log as the owner of the database could, who switches the triggers off. */
const asOwner = (...statements: string[]) =>
  db().$transaction(
    async (tx) => {
      await tx.$executeRawUnsafe('SET LOCAL session_replication_role = replica');
      for (const statement of statements) await tx.$executeRawUnsafe(statement);
    },
    { timeout: 30_000 },
  );

/** Computes all hashes and heads of a changed log anew, and signs them: what a cheating shop would do. */
async function cover(saleId: string): Promise<LogHead> {
  const leaves = await db().decisionLeaf.findMany({ where: { saleId }, orderBy: { index: 'asc' } });
  await asOwner(
    `DELETE FROM decision_tiles WHERE sale_id = '${saleId}'`,
    `DELETE FROM decision_heads WHERE sale_id = '${saleId}'`,
  );
  await db().$transaction(async (tx) => {
    const tiles = new LogTiles(tx, saleId);
    for (const [at, { leaf }] of leaves.entries())
      await tiles.append(at, nodeSha256(Buffer.concat([Buffer.of(0), Buffer.from(leaf)])));
    await tiles.save();
    await tx.decisionLog.update({
      where: { saleId },
      data: { size: leaves.length, signedSize: 0, signedAt: null },
    });
  });
  return (await signHead(saleId, signingKey() as SigningKey)) as LogHead;
}

const swap = (saleId: string, a: number, b: number) => [
  `UPDATE decision_leaves SET index = 1000 WHERE sale_id = '${saleId}' AND index = ${a}`,
  `UPDATE decision_leaves SET index = ${a} WHERE sale_id = '${saleId}' AND index = ${b}`,
  `UPDATE decision_leaves SET index = ${b} WHERE sale_id = '${saleId}' AND index = 1000`,
];
const drop = (saleId: string, at: number) => [
  `DELETE FROM decision_leaves WHERE sale_id = '${saleId}' AND index = ${at}`,
  `UPDATE decision_leaves SET index = index + 1000 WHERE sale_id = '${saleId}' AND index > ${at}`,
  `UPDATE decision_leaves SET index = index - 1001 WHERE sale_id = '${saleId}' AND index > 1000`,
];
const insert = (saleId: string, at: number) => [
  `UPDATE decision_leaves SET index = index + 1001 WHERE sale_id = '${saleId}' AND index >= ${at}`,
  `UPDATE decision_leaves SET index = index - 1000 WHERE sale_id = '${saleId}' AND index > 1000`,
  `INSERT INTO decision_leaves SELECT sale_id, ${at}, who, replace(leaf, '"units":1', '"units":3') FROM decision_leaves
   WHERE sale_id = '${saleId}' AND index = 0`,
];
const change = (saleId: string, at: number) => [
  `UPDATE decision_leaves SET leaf = replace(leaf, '"units":1', '"units":2') WHERE sale_id = '${saleId}' AND index = ${at}`,
];

let sale: SaleFixture;
let first: LogHead;
let last: LogHead;
let receipts: LogReceipt[];

beforeAll(async () => {
  expect(await verifyLog('sale_nowhere')).toMatchObject({ ok: true, leaves: 0 });
});
beforeEach(async () => {
  sale = await createSaleFixture({ users: 6 });
  const { saleId, userIds } = sale;
  const orders = await buyForAll(sale);
  await createOrders({ saleId, orders: orders.slice(0, 3) });
  await publishLogs();
  first = (await readLatestHead(saleId)) as LogHead;
  await createOrders({ saleId, orders: orders.slice(3) });
  expect(await verifyLog(saleId)).toMatchObject({ ok: true, leaves: 3, heads: 1 });
  await expect
    .poll(async () => {
      await publishLogs();
      return (await readLatestHead(saleId))?.size;
    })
    .toBe(6);
  last = (await readLatestHead(saleId)) as LogHead;
  receipts = await Promise.all(userIds.map(async (id) => (await readLogReceipt(saleId, id)) as LogReceipt));
  expect(await verifyLog(saleId)).toMatchObject({ ok: true, leaves: 6, heads: 2 });
});

/** Tells whether a head that a client kept fits what the shop publishes now. */
async function fits(kept: LogHead): Promise<boolean> {
  const now = (await readLatestHead(sale.saleId)) as LogHead;
  const proof = await readConsistency(sale.saleId, kept.size, now.size);
  const sized = ({ size, root }: LogHead) => ({ size, root: fromBase64url(root) });
  return proof !== null && isConsistent(sized(kept), sized(now), proof.map(fromBase64url), nodeSha256);
}

describe('whoever tampers with a decision log is caught', () => {
  it.each([
    ['reordered', (id: string) => swap(id, 1, 4)],
    ['put in', (id: string) => insert(id, 2)],
    ['dropped', (id: string) => drop(id, 2)],
    ['changed', (id: string) => change(id, 2)],
  ])(
    '[M4] a leaf that is %s: by verify, and with everything signed anew by whoever kept a head or a receipt',
    async (_, tamper) => {
      const { saleId } = sale;
      await asOwner(...tamper(saleId));
      expect((await verifyLog(saleId)).ok).toBe(false);
      const covered = await cover(saleId);
      // The shop's own books fit again, as far as order and content go; heads that others kept don't.
      expect(await fits(covered)).toBe(true);
      expect(await fits(last)).toBe(false);
      // A receipt from before still proves what the shop signed then.
      expect((await checkReceipt(JSON.stringify(receipts[2]))).ok).toBe(true);
    },
  );

  it('[M4] a log that is put in or dropped and signed anew does not fit the orders', async () => {
    const { saleId } = sale;
    await asOwner(...drop(saleId, 2));
    await cover(saleId);
    expect((await verifyLog(saleId)).detail).toMatch(/order \d+ has no leaf/);
    await asOwner(...insert(saleId, 2));
    await cover(saleId);
    expect((await verifyLog(saleId)).detail).toMatch(/has 2 leaves/);
  });

  it('[M4] an old head that is changed, moved or taken away', async () => {
    const { saleId } = sale;
    const where = `sale_id = '${saleId}' AND size = 3`;
    const root = last.root;
    await asOwner(`UPDATE decision_heads SET root = '${root}' WHERE ${where}`);
    expect((await verifyLog(saleId)).detail).toMatch(/not signed by a key.*not those that were signed/);
    await asOwner(`UPDATE decision_heads SET root = '${first.root}', size = 4 WHERE ${where}`);
    expect((await verifyLog(saleId)).ok).toBe(false);
    await asOwner(`DELETE FROM decision_heads WHERE sale_id = '${saleId}' AND size = 6`);
    expect((await verifyLog(saleId)).detail).toContain('its latest head is missing');
  });

  it('[M4] a fork: two heads of one size, both rightly signed', async () => {
    const { saleId } = sale;
    const key = signingKey() as SigningKey;
    const { signature: _, ...fields } = { ...last, root: first.root, final: true };
    const forked = { ...fields, signature: key.sign(headText(fields)) };
    await db().decisionHead.create({
      data: {
        saleId,
        size: 6,
        isFinal: true,
        root: forked.root,
        at: new Date(forked.at),
        keyId: key.id,
        signature: forked.signature,
      },
    });
    expect((await verifyLog(saleId)).detail).toContain('two heads of 6 leaves differ: the log was forked');
    expect(await fits(last)).toBe(false);
  });

  it('[M4] a head that another key signed', async () => {
    const { saleId } = sale;
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const other = toSigningKey(privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64url'));
    const { signature: _, ...fields } = last;
    await asOwner(
      `UPDATE decision_heads SET signature = '${other.sign(headText(fields))}' WHERE sale_id = '${saleId}' AND size = 6`,
    );
    expect((await verifyLog(saleId)).detail).toContain('the head of 6 is not signed by a key of the shop');
    const [receipt] = receipts;
    const forged = { ...receipt, head: { ...fields, signature: other.sign(headText(fields)) } };
    expect(await checkReceipt(JSON.stringify(forged))).toMatchObject({ ok: false, fault: 'bad_signature' });
  });

  it('[M4] stored hashes that are not those of the leaves, and a leaf under another name', async () => {
    const { saleId } = sale;
    await asOwner(
      `UPDATE decision_tiles SET hashes = set_byte(hashes, 0, get_byte(hashes, 0) # 1) WHERE sale_id = '${saleId}'`,
    );
    expect((await verifyLog(saleId)).detail).toContain('the stored hashes are not those of the leaves');
    await asOwner(`UPDATE decision_leaves SET who = 'x' WHERE sale_id = '${saleId}' AND index = 1`);
    expect((await verifyLog(saleId)).detail).toContain('leaf 1 is filed wrongly');
  });

  it('[M4] the application itself can change neither leaves nor heads nor keys', async () => {
    for (const table of ['decision_leaves', 'decision_heads', 'log_keys'])
      for (const statement of [`DELETE FROM ${table}`, `TRUNCATE ${table}`])
        await expect(db().$executeRawUnsafe(statement)).rejects.toThrow(/append-only/);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LogHead, LogReceipt } from '@/lib/contract/shapes/decision-log';
import { db } from '@/lib/db/client';
import { fromBase64url } from '@/lib/decision-log/proof/bytes';
import { checkLog } from '@/lib/decision-log/proof/check-log';
import { checkReceipt } from '@/lib/decision-log/proof/check-receipt';
import { isConsistent } from '@/lib/decision-log/testing/is-consistent';
import { logDecisions } from '@/lib/decision-log/testing/log-decisions';
import { releaseUnpaid } from '@/lib/payment/release-unpaid';
import {
  buyForAll,
  createSaleFixture,
  forge,
  makeOverdue,
  type SaleFixture,
} from '@/lib/purchase/testing/sale-fixture';
import { writeRefusals } from '@/lib/refusal/write-refusals';
import { createOrders } from '@/lib/settlement/create-orders';
import { nodeSha256 } from './pseudonym';
import { publishLogs } from './publish-logs';
import { readConsistency } from './read-consistency';
import { readHeads, readLatestHead } from './read-heads';
import { readLogReceipt } from './read-log-receipt';
import { streamLeaves } from './stream-leaves';

const kinds = async (saleId: string) => {
  const rows = await db().decisionLeaf.findMany({ where: { saleId }, orderBy: { index: 'asc' } });
  return rows.map(({ leaf }) => JSON.parse(leaf).kind as string);
};
const waiting = (saleId: string) => db().decisionBatch.count({ where: { saleId } });
const headOf = async (saleId: string): Promise<LogHead> => {
  await publishLogs();
  // Heads come a second apart.
  await expect
    .poll(async () => {
      await publishLogs();
      const log = await db().decisionLog.findUniqueOrThrow({ where: { saleId } });
      return log.size - log.signedSize;
    })
    .toBe(0n);
  return (await readLatestHead(saleId)) as LogHead;
};
const refusal = (saleId: string, userId: string, code: 'SOLD_OUT' | 'PAUSED', times = 1) =>
  ({
    saleId,
    userId,
    place: 'purchase',
    code,
    risk: 'none',
    firstAt: 1_000,
    lastAt: 2_000,
    times,
    available: 0,
  }) as const;

let sale: SaleFixture;
beforeEach(async () => {
  sale = await createSaleFixture({ users: 3 });
});
afterEach(() => void vi.restoreAllMocks());

describe('the decision log of a sale', () => {
  it('[M4] has a leaf for each order, each refusal once, and each release with its reason', async () => {
    const { saleId, userIds } = sale;
    const orders = await buyForAll(sale, 2);
    await createOrders({ saleId, orders });
    await createOrders({ saleId, orders });
    for (const times of [1, 9_999])
      await writeRefusals([refusal(saleId, userIds[2] as string, 'SOLD_OUT', times)]);
    await makeOverdue([orders[0]?.orderNo as string]);
    await releaseUnpaid([orders[0]?.orderNo as string]);
    const head = await headOf(saleId);
    expect((await kinds(saleId)).toSorted()).toEqual(['accepted', 'accepted', 'refused', 'released']);
    expect(head).toMatchObject({ sale: saleId, size: 4, final: false });
    const released = await db().decisionLeaf.findFirstOrThrow({
      where: { saleId, leaf: { contains: 'released' } },
    });
    expect(JSON.parse(released.leaf).detail).toEqual({ why: 'expired' });
    expect(await waiting(saleId)).toBe(0);
  });

  it('[M4] logs an order if and only if it is written', async () => {
    const { saleId, userIds } = sale;
    const order = forge(sale, userIds[0] as string);
    await expect(
      db().$transaction(async (tx) => {
        await logDecisions(tx, saleId, [{ kind: 'entered', at: 1, user: 'u', detail: { number: 0 } }]);
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    expect(await waiting(saleId)).toBe(0);
    // A second order of this user breaks the limit: it is recorded as failed, with its release.
    await createOrders({ saleId, orders: [order, forge(sale, userIds[0] as string)] });
    await headOf(saleId);
    expect((await kinds(saleId)).toSorted()).toEqual(['accepted', 'accepted', 'released']);
  });

  it('[M4] names nobody: no e-mail, user id or order number is in a leaf, and another sale has other pseudonyms', async () => {
    const { saleId, userIds } = sale;
    const orders = await buyForAll(sale, 1);
    await createOrders({ saleId, orders });
    await db().$transaction((tx) =>
      logDecisions(tx, 'another_sale', [
        { kind: 'entered', at: 1, user: userIds[0] as string, detail: { number: 0 } },
      ]),
    );
    await headOf(saleId);
    const [one] = await db().decisionLeaf.findMany({ where: { saleId } });
    const [other] = await db().decisionLeaf.findMany({ where: { saleId: 'another_sale' } });
    expect(one?.leaf).not.toContain(userIds[0]);
    expect(one?.leaf).not.toContain(orders[0]?.orderNo);
    expect(one?.leaf).not.toContain('@');
    expect(one?.who).not.toBe(other?.who);
  });

  it('[M4] decisions that commit late are appended later, and none is skipped', async () => {
    const { saleId } = sale;
    const entered = (number: number) =>
      [{ kind: 'entered', at: 1, user: `u${number}`, detail: { number } }] as const;
    await db().$transaction(
      async (late) => {
        await logDecisions(late, saleId, entered(0));
        await db().$transaction((tx) => logDecisions(tx, saleId, entered(1)));
        expect((await headOf(saleId)).size).toBe(1);
      },
      { timeout: 30_000 },
    );
    expect((await headOf(saleId)).size).toBe(2);
    expect(await kinds(saleId)).toEqual(['entered', 'entered']);
  });

  it('[M4] workers at once give each leaf one index', async () => {
    const { saleId } = sale;
    for (let n = 0; n < 20; n += 1)
      await db().$transaction((tx) =>
        logDecisions(
          tx,
          saleId,
          Array.from(
            { length: 40 },
            (_, at) => ({ kind: 'entered', at: 1, user: `u${n}_${at}`, detail: { number: at } }) as const,
          ),
        ),
      );
    await Promise.all(Array.from({ length: 6 }, () => publishLogs()));
    const head = await headOf(saleId);
    expect(head.size).toBe(800);
    let text = '';
    for await (const piece of streamLeaves(saleId, head.size)) text += piece;
    const lines = text.trimEnd().split('\n');
    expect(await checkLog(lines, head, nodeSha256)).toEqual({
      ok: true,
      size: 800,
      byKind: { entered: 800 },
    });
    expect(new Set(lines).size).toBe(800);
  });

  it('[M4] every head is consistent with every earlier one, as anybody can check', async () => {
    const { saleId } = sale;
    for (let n = 0; n < 4; n += 1) {
      const many = Array.from(
        { length: 1 + 130 * n },
        (_, at) => ({ kind: 'entered', at: 1, user: `u${n}_${at}`, detail: { number: at } }) as const,
      );
      await db().$transaction((tx) => logDecisions(tx, saleId, many));
      await headOf(saleId);
    }
    const heads = await readHeads(saleId, 10);
    expect(heads.map(({ size }) => size)).toEqual([784, 393, 132, 1]);
    const sized = ({ size, root }: LogHead) => ({ size, root: fromBase64url(root) });
    for (const newer of heads)
      for (const older of heads.filter(({ size }) => size <= newer.size)) {
        const proof = ((await readConsistency(saleId, older.size, newer.size)) ?? []).map(fromBase64url);
        expect(await isConsistent(sized(older), sized(newer), proof, nodeSha256)).toBe(true);
        const forked = { ...sized(older), root: new Uint8Array(32) };
        expect(await isConsistent(forked, sized(newer), proof, nodeSha256)).toBe(false);
      }
    expect(await readConsistency(saleId, 2, 785)).toBeNull();
    expect(await readConsistency(saleId, 3, 2)).toBeNull();
  });

  it('[M4 P11] a clock that was set back holds up no head, and dates none before the last one', async () => {
    const { saleId } = sale;
    const log = (number: number) =>
      db().$transaction((tx) =>
        logDecisions(tx, saleId, [{ kind: 'entered', at: 1, user: 'u', detail: { number } }]),
      );
    await log(0);
    const { at } = await headOf(saleId);
    const now = Date.now;
    vi.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000);
    await log(1);
    await publishLogs();
    expect(await readLatestHead(saleId)).toMatchObject({ size: 2, at });
  });

  it('[M4] signs a final head once a sale is over and nobody can pay any more', async () => {
    const { saleId } = sale;
    const orders = await buyForAll(sale, 1);
    await createOrders({ saleId, orders });
    await db().sale.update({
      where: { id: saleId },
      data: { endsAt: new Date(Date.now() - 60_000), startsAt: new Date(Date.now() - 120_000) },
    });
    await headOf(saleId);
    expect((await readLatestHead(saleId))?.final).toBe(false);
    await makeOverdue([orders[0]?.orderNo as string]);
    await releaseUnpaid([orders[0]?.orderNo as string]);
    await headOf(saleId);
    await publishLogs();
    await publishLogs();
    const heads = await readHeads(saleId, 9);
    expect(heads[0]).toMatchObject({ size: 2, final: true });
    expect(heads.at(-1)).toMatchObject({ size: 1, final: false });
  });
});

describe('a receipt', () => {
  let receipt: LogReceipt;
  beforeEach(async () => {
    const { saleId, userIds } = sale;
    await createOrders({ saleId, orders: await buyForAll(sale) });
    await headOf(saleId);
    receipt = (await readLogReceipt(saleId, userIds[1] as string)) as LogReceipt;
  });
  const check = (changed: unknown) => checkReceipt(JSON.stringify(changed));

  it('[M4] proves offline that the decision is in the signed log, and about this person and order', async () => {
    const { userIds, saleId } = sale;
    const [order] = await db().order.findMany({ where: { saleId, userId: userIds[1] } });
    expect(await check(receipt)).toMatchObject({
      ok: true,
      person: userIds[1],
      decisions: [{ leaf: { kind: 'accepted', sale: saleId }, order: String(order?.id) }],
    });
    expect(await readLogReceipt(saleId, 'user_nobody')).toBeNull();
    expect(await readLogReceipt('sale_nowhere', userIds[1] as string)).toBeNull();
  });

  it('[M4] that was changed anywhere is refused', async () => {
    const entry = receipt.entries[0] as LogReceipt['entries'][number];
    const changed = (change: Partial<typeof entry>) => ({ ...receipt, entries: [{ ...entry, ...change }] });
    const other = (text: string) => (text.startsWith('A') ? `B${text.slice(1)}` : `A${text.slice(1)}`);
    const fault = async (made: unknown) => {
      const checked = await check(made);
      return checked.ok ? 'none' : checked.fault;
    };
    expect(await fault(changed({ leaf: entry.leaf.replace('"units":1', '"units":2') }))).toBe('not_in_log');
    expect(await fault(changed({ index: entry.index + 1 }))).toBe('not_in_log');
    expect(await fault(changed({ proof: entry.proof.map(other) }))).toBe('not_in_log');
    expect(await fault(changed({ proof: [] }))).toBe('not_in_log');
    expect(await fault({ ...receipt, head: { ...receipt.head, root: other(receipt.head.root) } })).toBe(
      'bad_signature',
    );
    expect(await fault({ ...receipt, head: { ...receipt.head, at: 1 } })).toBe('bad_signature');
    expect(
      await fault({ ...receipt, head: { ...receipt.head, signature: other(receipt.head.signature) } }),
    ).toBe('bad_signature');
    expect(await fault({ ...receipt, person: { ...receipt.person, text: 'user_other' } })).toBe(
      'other_person',
    );
    expect(await fault(changed({ order: { text: '1', nonce: receipt.person.nonce } }))).toBe('other_order');
    for (const nonsense of [null, {}, [], 'x', 1, { ...receipt, entries: [] }])
      expect(await fault(nonsense)).toBe('not_a_receipt');
    for (const text of ['', 'x', '{', 'x'.repeat(3_000_000)])
      expect(await checkReceipt(text)).toMatchObject({ fault: 'not_a_receipt' });
  });

  it('[M4] signed by another key is refused', async () => {
    const { subtle } = crypto;
    const pair = await subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign']);
    const publicKey = Buffer.from(await subtle.exportKey('spki', pair.publicKey)).toString('base64url');
    expect(await check({ ...receipt, key: { ...receipt.key, publicKey } })).toMatchObject({
      fault: 'other_key',
    });
  });
});

import { afterAll, describe, expect, it } from 'vitest';
import { MAX_SHIPMENTS } from '@/lib/contract/words/delivery';
import { parseCsv } from '@/lib/csv';
import { closeDb, db } from '@/lib/db/client';
import { KEPT, parcelOrder } from '@/lib/delivery/testing/parcel-order';
import { NotAllowedError } from '@/lib/errors/not-allowed-error';
import { listAdminOrders } from '@/lib/order/admin/list-admin-orders';
import { refundOrder } from '@/lib/order/admin/refund-order';
import { topicsOf } from '@/lib/purchase/testing/order-fixture';
import { closeRedis } from '@/lib/redis/client';
import { makeMember } from '@/test/support/make-member';
import { makeUser } from '@/test/support/make-sale';
import { exportParcels } from './export-parcels';
import { importShipments } from './import-shipments';
import { takeStep } from './take-step';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

const HEAD = 'order_no;carrier;tracking_number;tracking_url';
const stepOf = async (orderNo: string) =>
  (await db().delivery.findFirst({ where: { orderId: BigInt(orderNo) } }))?.step;

async function linesOf(...given: Parameters<typeof exportParcels>): Promise<string[][]> {
  let text = '';
  for await (const piece of exportParcels(...given)) text += piece;
  const parsed = parseCsv(text);
  return parsed.status === 'parsed' ? parsed.rows.slice(1).map(({ cells }) => cells) : [];
}

describe('[O5] parcels by file', () => {
  it('lists where those go that are to be packed, then those that are packed; of the own shop alone', async () => {
    const { merchant, orderNo, saleId } = await parcelOrder({ isPaid: true });
    const unpaid = await parcelOrder();
    expect(await linesOf(merchant, { step: 'waiting' })).toMatchObject([
      [
        orderNo,
        'Lamp sale',
        '',
        '1',
        expect.any(String),
        KEPT.name,
        KEPT.lines[0],
        '',
        '',
        KEPT.city,
        '',
        KEPT.postalCode,
        'DE',
        '',
      ],
    ]);
    expect(await linesOf(merchant, { step: 'packed' })).toEqual([]);
    expect(await linesOf(unpaid.merchant, { step: 'waiting' })).toEqual([]);
    expect(await linesOf(await makeUser('merchant'), { step: 'waiting', saleId })).toEqual([]);
    await takeStep(merchant, orderNo, { to: 'packed' });
    expect(await linesOf(merchant, { step: 'waiting' })).toEqual([]);
    expect((await linesOf(merchant, { step: 'packed', saleId })).map(([first]) => first)).toEqual([orderNo]);
  });

  it('list nothing that was refunded after it was packed: it must not go out', async () => {
    const { merchant, orderNo } = await parcelOrder({ isPaid: true });
    await takeStep(merchant, orderNo, { to: 'packed' });
    await refundOrder(merchant, orderNo, { reason: 'x', returnStock: true });
    expect(await linesOf(merchant, { step: 'packed' })).toEqual([]);
    expect((await listAdminOrders(merchant, { limit: 20 }, { delivery: 'packed' }))?.orders).toEqual([]);
    expect(await stepOf(orderNo)).toBe('packed');
  });

  it('are shipped, packed first where they are not, and their shoppers told once however often the file comes', async () => {
    const [one, other] = [await parcelOrder({ isPaid: true }), await parcelOrder({ isPaid: true })];
    const operator = await makeUser('operator');
    await takeStep(other.merchant, other.orderNo, { to: 'packed' });
    const csv = `\uFEFF${HEAD}\r\n"=""${one.orderNo}""";Post;"=""0034043412345678""";https://post.example/1\r\n${other.orderNo};;;\r\n`;
    for (let turn = 0; turn < 2; turn += 1) {
      const imported = { status: 'imported', shipped: 2, failed: 0, errors: [] };
      expect(await importShipments(operator, csv)).toEqual(imported);
    }
    const row = await db().delivery.findFirst({ where: { orderId: BigInt(one.orderNo) } });
    expect(row).toMatchObject({ step: 'shipped', carrier: 'Post', trackingNumber: '0034043412345678' });
    expect(await stepOf(other.orderNo)).toBe('shipped');
    const told = (await topicsOf(one.orderNo)).filter((topic) => topic.endsWith('order_shipped'));
    expect(told).toEqual(['in-app order_shipped', 'mail order_shipped']);
  });

  it('stay where they are if they can’t go, and their lines are named', async () => {
    const made = await parcelOrder({ isPaid: true });
    const { merchant } = made;
    const [unpaid, gone] = [await parcelOrder(), await parcelOrder({ isPaid: true })];
    await importShipments(gone.merchant, `${HEAD}\n${gone.orderNo};Post;1;`);
    await refundOrder(merchant, made.orderNo, { reason: 'x', returnStock: true });
    const operator = await makeUser('operator');
    const csv = [
      HEAD,
      `${made.orderNo};Post;1;`,
      `${unpaid.orderNo};Post;1;`,
      `${gone.orderNo};Post;2;`,
      `${gone.orderNo};Post;1;javascript:alert(1)`,
      'abc;;;',
      '9223372036854775807;;;',
      `${'9'.repeat(400)};;;`,
    ].join('\n');
    expect(await importShipments(operator, csv)).toMatchObject({
      shipped: 0,
      failed: 7,
      errors: [
        { line: 2, problem: 'not_paid' },
        { line: 3, problem: expect.stringMatching(/^(not_paid|address_missing)$/) },
        { line: 4, problem: 'wrong_step' },
        { line: 5, problem: 'invalid' },
        { line: 6, problem: 'invalid' },
        { line: 7, problem: 'not_found' },
        { line: 8, problem: 'invalid' },
      ],
    });
    expect(await stepOf(made.orderNo)).toBe('waiting');
    expect(await importShipments(operator, '')).toEqual({ status: 'no_columns', missing: ['order_no'] });
    expect(await importShipments(operator, 'order_no\n"1')).toEqual({ status: 'malformed', line: 2 });
    const many = `order_no\n${'1\n'.repeat(MAX_SHIPMENTS + 1)}`;
    expect(await importShipments(operator, many)).toEqual({ status: 'too_many' });
  });

  it('of another shop are not there, and who may only look ships none', async () => {
    const { merchant, orderNo } = await parcelOrder({ isPaid: true });
    const other = await parcelOrder({ isPaid: true });
    const csv = `${HEAD}\n${orderNo};Post;1;`;
    expect(await importShipments(other.merchant, csv)).toMatchObject({
      shipped: 0,
      errors: [{ line: 2, problem: 'not_found' }],
    });
    await expect(importShipments(await makeMember(merchant.userId, 'viewer'), csv)).rejects.toThrow(
      NotAllowedError,
    );
    expect(await stepOf(orderNo)).toBe('waiting');
    expect(await importShipments(await makeMember(merchant.userId, 'editor'), csv)).toMatchObject({
      shipped: 1,
    });
  });
});

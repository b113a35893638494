import { describe, expect, it } from 'vitest';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import type { Reply } from '@/lib/http/reply';
import { newId } from '@/lib/ids/new-id';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { closeSale } from '@/lib/sale/admin/close-sale';
import { setSalePaused } from '@/lib/sale/admin/pause-sale';
import { readStock } from '@/lib/stock/read-stock';
import { makeDraft, makeSale } from '@/test/support/make-sale';
import { type PurchaseRequest, purchase } from './purchase';

const parse = ({ status, headers, body }: Reply) => ({ http: status, headers, ...JSON.parse(body) });

const tokenFor = (
  saleId: string,
  userId = newId('user'),
  expiresAt = Date.now() + 60_000,
  jti = newId('jti'),
) => signEntryToken({ userId, saleId, level: 0, jti, expiresAt, device: '' });

async function buy(sale: SaleInfo, request: Partial<PurchaseRequest> = {}) {
  const gate = (await readStock(sale.saleId))?.gate ?? 'none';
  return parse(
    await purchase({ saleId: sale.saleId, gate, entryToken: tokenFor(sale.saleId), body: '', ...request }),
  );
}

describe('purchase', () => {
  it('[E1] answers "queued" at once and leaves the message in the outbox', async () => {
    const { sale } = await makeSale();
    const reply = await buy(sale);
    expect(reply).toMatchObject({
      http: 202,
      status: 'queued',
      replay: false,
      orderNo: expect.stringMatching(/^\d+$/),
    });
    expect(await stockRedis().xlen(keys.outbox(sale.saleId))).toBe(1);
    expect(await readStock(sale.saleId)).toMatchObject({ available: 9, held: 1 });
  });

  it('[F2] the same token gets the same answer and no second unit, whatever happened since', async () => {
    const { sale, merchant } = await makeSale();
    const entryToken = tokenFor(sale.saleId);
    const first = await buy(sale, { entryToken });
    expect(await buy(sale, { entryToken })).toMatchObject({
      http: 202,
      orderNo: first.orderNo,
      replay: true,
    });
    await closeSale(merchant, sale.saleId);
    expect(await buy(sale, { entryToken })).toMatchObject({
      http: 202,
      orderNo: first.orderNo,
      replay: true,
    });
    expect(await readStock(sale.saleId)).toMatchObject({ available: 9, held: 1 });
  });

  it('[F2] a thousand requests at once with one token are one order with identical bodies but for "replay"', async () => {
    const { sale } = await makeSale();
    const entryToken = tokenFor(sale.saleId);
    const { gate = '' } = (await readStock(sale.saleId)) ?? {};
    const request = { saleId: sale.saleId, gate, entryToken, body: '' };
    const replies = await Promise.all(Array.from({ length: 1_000 }, () => purchase(request)));
    const bodies = replies.map(({ body }) => body.replace('"replay":true', '"replay":false'));
    expect(new Set(bodies).size).toBe(1);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202]));
    expect(replies.filter(({ body }) => body.includes('"replay":false'))).toHaveLength(1);
    expect(await stockRedis().xlen(keys.outbox(sale.saleId))).toBe(1);
    expect(await readStock(sale.saleId)).toMatchObject({ available: 9, held: 1 });
  });

  it('[F2] the same token with another quantity is refused, and the first purchase stands', async () => {
    const { sale } = await makeSale({ limitPerUser: 3 });
    const entryToken = tokenFor(sale.saleId);
    const { orderNo } = await buy(sale, { entryToken, body: '{"quantity":2}' });
    for (const body of ['', '{"quantity":1}', '{"quantity":3}']) {
      expect(await buy(sale, { entryToken, body })).toMatchObject({
        http: 422,
        code: 'IDEMPOTENCY_MISMATCH',
        orderNo,
        quantity: 2,
      });
    }
    const again = await buy(sale, { entryToken, body: '{"quantity":2}' });
    expect(again).toMatchObject({ http: 202, orderNo, replay: true });
    expect(await readStock(sale.saleId)).toMatchObject({ available: 8, held: 2 });
  });

  it('[E1 F2] a token that has run out since gets its first answer, and buys nothing', async () => {
    const { sale } = await makeSale();
    const [ada, ben] = [newId('user'), newId('user')];
    const jti = newId('jti');
    const bought = await buy(sale, { entryToken: tokenFor(sale.saleId, ada, undefined, jti) });
    const past = Date.now() - 1;
    expect(await buy(sale, { entryToken: tokenFor(sale.saleId, ada, past, jti) })).toMatchObject({
      ...{ http: 202, orderNo: bought.orderNo, replay: true },
    });
    const expired = { http: 401, code: 'ENTRY_INVALID', reason: 'expired' };
    for (const [userId, id] of [
      [ada, newId('jti')],
      [ben, jti],
    ] as const)
      expect(await buy(sale, { entryToken: tokenFor(sale.saleId, userId, past, id) })).toMatchObject(expired);
    expect(await readStock(sale.saleId)).toMatchObject({ available: 9, held: 1 });
  });

  it('[C1] several units where the sale allows them', async () => {
    const { sale } = await makeSale({ limitPerUser: 3 });
    expect(await buy(sale, { body: '{"quantity":3}' })).toMatchObject({ http: 202 });
    expect(await readStock(sale.saleId)).toMatchObject({ available: 7, held: 3 });
  });

  it('[C1] each refusal has its own code and changes nothing', async () => {
    const now = Date.now();
    const { sale, merchant } = await makeSale({ totalStock: 2 });
    const { sale: early } = await makeSale({ startsAt: now + 60_000, endsAt: now + 90_000 });
    const { sale: draft } = await makeDraft();
    const userId = newId('user');
    const { orderNo } = await buy(sale, { entryToken: tokenFor(sale.saleId, userId) });

    expect(await buy({ ...sale, saleId: 'nope' })).toMatchObject({ http: 404, code: 'SALE_NOT_FOUND' });
    expect(await buy(draft)).toMatchObject({ http: 404, code: 'SALE_NOT_FOUND' });
    expect(await buy(sale, { entryToken: null })).toMatchObject({ http: 401, code: 'ENTRY_INVALID' });
    expect(await buy(sale, { entryToken: 'x.y' })).toMatchObject({ http: 401, code: 'ENTRY_INVALID' });
    expect(await buy(sale, { entryToken: tokenFor(early.saleId) })).toMatchObject({ code: 'ENTRY_INVALID' });
    expect(await buy(sale, { entryToken: tokenFor(sale.saleId, userId, now - 1) })).toMatchObject({
      code: 'ENTRY_INVALID',
      reason: 'expired',
    });
    expect(await buy(sale, { gate: 'wrong' })).toMatchObject({ http: 403, code: 'GATE_INVALID' });
    expect(await buy(early)).toMatchObject({ http: 409, code: 'NOT_STARTED' });
    expect(await buy(sale, { body: '{"quantity":0}' })).toMatchObject({
      http: 422,
      code: 'INVALID_QUANTITY',
    });
    expect(await buy(sale, { body: '{' })).toMatchObject({ http: 400, code: 'MALFORMED' });
    expect(await buy(sale, { body: '{"quantity":2}' })).toMatchObject({ http: 409, code: 'LIMIT_REACHED' });
    // A shopper who already has an order is led to it instead of being turned away.
    expect(await buy(sale, { entryToken: tokenFor(sale.saleId, userId) })).toMatchObject({
      http: 409,
      code: 'LIMIT_REACHED',
      orderNo,
    });
    expect(await readStock(sale.saleId)).toMatchObject({ available: 1, held: 1 });

    await buy(sale);
    expect(await buy(sale)).toMatchObject({ http: 409, code: 'SOLD_OUT' });
    await setSalePaused(merchant, sale.saleId, true);
    expect(await buy(sale)).toMatchObject({ http: 409, code: 'PAUSED' });
    await closeSale(merchant, sale.saleId);
    expect(await buy(sale)).toMatchObject({ http: 409, code: 'ENDED' });
  });

  it('[B2] heals a sale whose warm-up Redis has lost', async () => {
    // A request waits at most a second for the stock. On a busy machine the first request of some sales may be told
    // to ask again.
    let http = 503;
    for (let tries = 0; tries < 5 && http === 503; tries += 1) {
      const { sale } = await makeSale();
      const { gate } = (await readStock(sale.saleId)) ?? {};
      await stockRedis().del(keys.sale(sale.saleId), keys.buyers(sale.saleId));
      ({ http } = await buy(sale, { gate }));
    }
    expect(http).toBe(202);
  });
});

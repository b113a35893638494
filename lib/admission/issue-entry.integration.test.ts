import { describe, expect, it } from 'vitest';
import { verifyEntryToken } from '@/lib/entry/verify-entry-token';
import { closeSale } from '@/lib/sale/admin/close-sale';
import { makeSale } from '@/test/support/make-sale';
import { issueEntry } from './issue-entry';

const user = { userId: 'user_1', level: 2 };

describe('issueEntry', () => {
  it('[F2] gives a token of this user and sale, another one each time', async () => {
    const { sale } = await makeSale();
    const tokens = await Promise.all([issueEntry(sale.saleId, user), issueEntry(sale.saleId, user)]);
    const claims = tokens.map((token) => {
      if (token.status !== 'entered') throw new Error(token.status);
      const verified = verifyEntryToken(token.entryToken, sale.saleId, Date.now());
      if (verified.status !== 'valid') throw new Error(verified.status);
      return verified.claims;
    });
    expect(claims[0]).toMatchObject({ userId: 'user_1', saleId: sale.saleId, level: 2 });
    expect(claims[0]?.jti).not.toBe(claims[1]?.jti);
  });

  it('[A4] opens some time before the start, not earlier', async () => {
    const startsAt = Date.now() + 3_600_000;
    const { sale } = await makeSale({ startsAt, endsAt: startsAt + 1000 });
    expect(await issueEntry(sale.saleId, user)).toEqual({
      status: 'not_open',
      entryOpensAt: startsAt - 600_000,
    });
  });

  it('[L3] refuses unknown, ended and closed sales, and members below the level', async () => {
    expect(await issueEntry('nope', user)).toEqual({ status: 'sale_not_found' });
    const { sale: ended } = await makeSale({ startsAt: 1000, endsAt: 2000 });
    expect(await issueEntry(ended.saleId, user)).toEqual({ status: 'ended' });
    const { sale: closed, merchant } = await makeSale();
    await closeSale(merchant, closed.saleId);
    expect(await issueEntry(closed.saleId, user)).toEqual({ status: 'ended' });
    const { sale: gold } = await makeSale({ minLevel: 3 });
    expect(await issueEntry(gold.saleId, user)).toEqual({ status: 'level_too_low', minLevel: 3 });
  });
});

import { describe, expect, it } from 'vitest';
import { refusalOf } from './refusal-of';

const limits = { limitPerUser: 2 };

describe('[C1] a refusal says no more than is so', () => {
  it('names what is left where fewer are left than were asked for, and says sold out where none is', () => {
    const few = refusalOf({ status: 'sold_out', available: 2 }, limits, 3);
    expect(few).toMatchObject({ code: 'SOLD_OUT', available: 2, options: { extra: { available: 2 } } });
    expect(`${few.options?.title} ${few.options?.detail}`).not.toMatch(/sold out/i);
    const none = refusalOf({ status: 'sold_out', available: 0 }, limits, 3);
    expect(none.options).toEqual({ extra: { available: 0 } });
  });

  it('tells who has what one person may have from who asks for more, and from who came too often', () => {
    const extraOf = (...args: Parameters<typeof refusalOf>) => refusalOf(...args).options?.extra;
    expect(extraOf({ status: 'already_bought', orderNo: '7' }, limits, 1)).toEqual({
      orderNo: '7',
      limitPerUser: 2,
    });
    expect(extraOf({ status: 'over_limit' }, limits, 3)).toEqual({ limitPerUser: 2 });
    expect(extraOf({ status: 'over_limit' }, limits, 1)).toEqual({ purchasesPerUser: 20 });
  });
});

import { describe, expect, it } from 'vitest';
import { SALE_NUMBERS, type SaleNumber } from '../words/sale';
import { fingerprint } from './fingerprint';
import { usualSaleFields } from './sale-fields';
import { newSale, saleEdit } from './sale-input';

const sale = {
  productId: 'prod_1',
  title: 'Lamp',
  priceMinor: 990,
  currency: 'EUR',
  totalStock: 5,
  limitPerUser: 1,
  startsAt: 1_800_000_000_000,
  endsAt: 1_800_003_600_000,
};

describe('[L3] the fields of a sale', () => {
  it('have their usual values in a new sale that says nothing of them', () => {
    expect(newSale.parse(sale)).toMatchObject(usualSaleFields);
    expect(usualSaleFields).toMatchObject({ clickLockSec: 10, paymentWindowSec: 900, strategy: 'script' });
  });

  it('have none in an edit: what is not said stays as it is', () => {
    expect(saleEdit.parse({ version: 1 })).toEqual({ version: 1 });
    expect(saleEdit.parse({ version: 1, minLevel: 0 })).toEqual({ version: 1, minLevel: 0 });
  });

  it.each(Object.keys(SALE_NUMBERS) as SaleNumber[])(
    '%s is taken up to its bounds and no further',
    (name) => {
      const { min, max } = SALE_NUMBERS[name];
      for (const value of [min, max])
        expect(saleEdit.safeParse({ version: 1, [name]: value }).success).toBe(true);
      for (const value of [min - 1, max + 1, min + 0.5, String(min), null])
        expect(saleEdit.safeParse({ version: 1, [name]: value }).success, String(value)).toBe(false);
    },
  );

  it('have a fingerprint that another field changes and another order does not', () => {
    expect(fingerprint(['a', 'b'])).toBe(fingerprint(['b', 'a']));
    expect(fingerprint(['a', 'b'])).not.toBe(fingerprint(['a', 'b', 'c']));
    expect(fingerprint(['ab'])).not.toBe(fingerprint(['a', 'b']));
  });
});

import { describe, expect, it } from 'vitest';
import { newSale } from '@/lib/contract/shapes/sale-input';
import { SALE_NUMBERS, SALE_STRATEGIES, type SaleNumber } from '@/lib/contract/words/sale';
import { boundsOf } from './number-settings';
import {
  CHALLENGES,
  checkSaleForm,
  initialSaleForm,
  type SaleFormValues,
  toLocalInput,
  toNewSale,
} from './sale-form-values';
import { adminState } from './sale-state-badge';

const filled: SaleFormValues = {
  ...initialSaleForm(Date.parse('2026-11-20T10:03:00Z'), 'USD', '/products/lamp.svg'),
  productName: 'Lamp',
  productSlug: 'lamp',
  title: 'Lamp sale',
};

describe('[L3] new sale form', () => {
  it('sends what the interface takes', () => {
    expect(checkSaleForm(filled)).toEqual({});
    const sale = toNewSale({ ...filled, listPrice: '29,00', paymentWindowSec: '0.5' }, 'prod_1');
    expect(newSale.safeParse(sale).error).toBeUndefined();
    expect(sale).toMatchObject({
      priceMinor: 990,
      listPriceMinor: 2900,
      paymentWindowSec: 30,
      totalStock: 100,
    });
    expect(sale.startsAt - sale.entryOpensAt).toBe(600_000);
  });
  it('takes −1 with either minus for unlimited stock', () => {
    for (const totalStock of ['-1', '−1']) {
      expect(checkSaleForm({ ...filled, totalStock })).toEqual({});
      expect(toNewSale({ ...filled, totalStock }, 'p').totalStock).toBe(-1);
    }
  });
  it('[H1] sends a reservation window if both its times are given, and takes only one that fits', () => {
    const { startsAt } = filled;
    const earlier = (minutes: number) => toLocalInput(Date.parse(startsAt) - minutes * 60_000);
    const window = (reservationOpensAt: string, reservationClosesAt: string) => ({
      ...filled,
      reservationOpensAt,
      reservationClosesAt,
    });
    expect(toNewSale(filled, 'p')).not.toHaveProperty('reservation');
    const good = window(earlier(60), startsAt);
    expect(checkSaleForm(good)).toEqual({});
    const closesAt = Date.parse(startsAt);
    expect(newSale.parse(toNewSale(good, 'p')).reservation).toEqual({
      opensAt: closesAt - 3_600_000,
      closesAt,
    });
    expect(checkSaleForm(window(earlier(60), ''))).toEqual({
      reservationClosesAt: { key: 'reservationBoth' },
    });
    expect(checkSaleForm(window('', startsAt))).toEqual({ reservationOpensAt: { key: 'reservationBoth' } });
    for (const wrong of [window(startsAt, startsAt), window(earlier(60), earlier(-1))]) {
      expect(checkSaleForm(wrong)).toEqual({ reservationClosesAt: { key: 'reservationOrder' } });
    }
  });

  it('[M10] splits the stock of a sale that allows it', () => {
    const split = { ...filled, slices: '4' };
    expect(newSale.parse(toNewSale(split, 'p')).slices).toBe(4);
    expect(checkSaleForm(split)).toEqual({});
    for (const other of [{ strategy: 'lock' }, { onStockOutage: 'database' }, { totalStock: '-1' }] as const)
      expect(checkSaleForm({ ...split, ...other })).toEqual({ slices: { key: 'slicesUndivided' } });
  });

  describe('[O3] variants', () => {
    const rows = (...names: string[]) =>
      names.map((name, index) => ({ id: name, name, stock: String(index + 1), picture: '' }));
    const three = { ...filled, totalStock: 'x', variants: rows(' Small ', 'Medium', '大') };

    it('are sent in their order, and their sum is the stock of the sale', () => {
      expect(checkSaleForm(three)).toEqual({});
      const sale = toNewSale(three, 'p');
      expect(newSale.safeParse(sale).error).toBeUndefined();
      expect(sale.totalStock).toBe(6);
      expect(sale.variants).toEqual([
        { name: 'Small', stock: 1, picture: null },
        { name: 'Medium', stock: 2, picture: null },
        { name: '大', stock: 3, picture: null },
      ]);
    });

    it('are wrong at the field at fault', () => {
      const variants = rows(' ', 'M', 'm ', 'L').map((each, index) =>
        index === 3 ? { ...each, stock: '-1' } : each,
      );
      expect(checkSaleForm({ ...filled, variants })).toEqual({
        'variants.0.name': { key: 'required' },
        'variants.2.name': { key: 'variantTwice' },
        'variants.3.stock': { key: 'notANumber', min: 0 },
      });
    });

    it('go with a waitlist and a draw, and with no other strategy, slices or outage sale', () => {
      expect(checkSaleForm({ ...three, waitlist: true })).toEqual({});
      expect(checkSaleForm({ ...three, admission: 'draw' })).toEqual({});
      const others = {
        strategy: { strategy: 'queue' },
        slices: { slices: '2' },
        onStockOutage: { onStockOutage: 'database' },
      } as const;
      for (const [field, other] of Object.entries(others))
        expect(checkSaleForm({ ...three, ...other }), field).toEqual({
          [field]: { key: 'notWithVariants' },
        });
    });
  });

  it('[C2 C3] sends the strategy that was chosen, the script unless told otherwise', () => {
    expect(toNewSale(filled, 'p').strategy).toBe('script');
    for (const strategy of SALE_STRATEGIES) {
      const sale = toNewSale({ ...filled, strategy }, 'p');
      expect(newSale.parse(sale).strategy).toBe(strategy);
    }
  });
  it('[J4] sends what happens while Redis is away where the script decides, else that the sale waits', () => {
    const outage: SaleFormValues = { ...filled, onStockOutage: 'database' };
    expect(toNewSale(filled, 'p').onStockOutage).toBe('closed');
    expect(toNewSale(outage, 'p').onStockOutage).toBe('database');
    for (const strategy of SALE_STRATEGIES) {
      expect(newSale.safeParse(toNewSale({ ...outage, strategy }, 'p')).success).toBe(true);
    }
    expect(toNewSale({ ...outage, strategy: 'lock' }, 'p').onStockOutage).toBe('closed');
  });
  it('[G4 G5] sends the challenge that was chosen, none unless told otherwise', () => {
    expect(toNewSale(filled, 'p').challenge).toBe('none');
    for (const challenge of CHALLENGES) {
      const sale = toNewSale({ ...filled, challenge }, 'p');
      expect(newSale.parse(sale).challenge).toBe(challenge);
    }
  });
  it('names each wrong field before anything is sent', () => {
    const wrong = {
      ...filled,
      productSlug: 'No Spaces',
      title: ' ',
      price: '1.999',
      listPrice: '1.00',
      totalStock: '-2',
      limitPerUser: '0',
      endsAt: filled.startsAt,
      paymentWindowSec: '0',
    };
    const fields = [
      'productSlug',
      'title',
      'price',
      'totalStock',
      'limitPerUser',
      'paymentWindowSec',
      'endsAt',
    ];
    expect(Object.keys(checkSaleForm(wrong)).sort()).toEqual(fields.sort());
    expect(checkSaleForm({ ...filled, listPrice: '1.00' })).toEqual({ listPrice: { key: 'priceInvalid' } });
  });
  it('names each number that is none, or beyond what the contract takes', () => {
    for (const name of Object.keys(SALE_NUMBERS) as SaleNumber[]) {
      const { min, max } = boundsOf(name);
      expect(checkSaleForm({ ...filled, [name]: String(max) })).toEqual({});
      for (const text of ['', 'x', '1e3x', String(max * 2), String(min - max)])
        expect(checkSaleForm({ ...filled, [name]: text }), `${name}: ${text}`).toEqual({
          [name]: { key: 'notBetween', min, max },
        });
    }
  });
});

describe('[L3] state of a sale on the admin area', () => {
  it('puts draft and closed before what the clock says, and pause before live', () => {
    expect(adminState({ status: 'draft', paused: false }, null)).toBe('draft');
    expect(adminState({ status: 'closed', paused: false }, 'ended')).toBe('closed');
    expect(adminState({ status: 'published', paused: true }, 'live')).toBe('paused');
    expect(adminState({ status: 'published', paused: true }, 'ended')).toBe('ended');
    expect(adminState({ status: 'published', paused: false }, 'sold_out')).toBe('sold_out');
  });
});

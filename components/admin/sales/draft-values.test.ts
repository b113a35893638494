import { describe, expect, it } from 'vitest';
import type { EditableSale } from '@/lib/contract/shapes/sale';
import { USUAL_NUMBERS } from '@/lib/contract/words/sale';
import { toCopyForm, toSaleEdit, toSaleForm } from './draft-values';
import { toLimitValues } from './limit-values';
import { phasesOf } from './phases';
import { checkSaleForm } from './sale-form-values';
import type { VariantValues } from './variant-values';

const startsAt = Date.parse('2026-11-27T20:00:17.123Z');
const sale: EditableSale = {
  saleId: 'sale_1',
  status: 'draft',
  version: 4,
  productId: 'prod_1',
  campaignId: null,
  title: 'Lamp',
  titles: { 'zh-CN': '台灯' },
  currency: 'EUR',
  priceMinor: 1990,
  listPriceMinor: null,
  totalStock: 5,
  variants: [],
  provider: 'usual',
  startsAt,
  endsAt: startsAt + 3_600_000,
  entryOpensAt: startsAt - 600_000,
  ...USUAL_NUMBERS,
  paymentWindowSec: 50,
  clickLockSec: 20,
  requireVerifiedEmail: false,
  challenge: 'none',
  challengeAlternative: 'puzzle',
  admission: 'first_come',
  waitlist: false,
  drawWeights: 'equal',
  onePlacePerDevice: false,
  strategy: 'script',
  onStockOutage: 'closed',
  reservation: null,
  limits: null,
};
const before = { values: toSaleForm(sale), limits: toLimitValues(sale.limits) };

describe('[L3] a draft in the form', () => {
  it('is nothing to complain of, and unchanged nothing but its version is sent', () => {
    expect(checkSaleForm(before.values)).toEqual({});
    expect(before.values).toMatchObject({ price: '19.90', listPrice: '', entryMinutes: '10' });
    expect(before.values).toMatchObject({ clickLockSec: '20', minLevel: '0' });
    expect(toSaleEdit(before, before, 'prod_1', 4)).toEqual({ version: 4 });
  });

  it('sends what was changed, and takes away what was emptied', () => {
    const values = { ...before.values, title: 'Lamps', price: '18', paymentWindowSec: '2' };
    expect(toSaleEdit(before, { ...before, values }, 'prod_2', 4)).toEqual({
      version: 4,
      title: 'Lamps',
      priceMinor: 1800,
      paymentWindowSec: 120,
      productId: 'prod_2',
    });
    const full = {
      ...sale,
      listPriceMinor: 3000,
      reservation: { opensAt: startsAt - 9e6, closesAt: startsAt - 6e6 },
    };
    const old = { values: toSaleForm(full), limits: before.limits };
    const emptied = { ...old.values, listPrice: '', reservationOpensAt: '', reservationClosesAt: '' };
    expect(toSaleEdit(old, { ...old, values: emptied }, 'prod_1', 4)).toEqual({
      version: 4,
      listPriceMinor: null,
      reservation: null,
    });
  });

  it('[O3] sends all variants if one was changed, and none if none was', () => {
    const variants = [
      { name: 'S', stock: 2, picture: null },
      { name: 'M', stock: 3, picture: 'f'.repeat(64) },
    ];
    const old = { values: toSaleForm({ ...sale, variants }), limits: before.limits };
    const edit = (values: typeof old.values) => toSaleEdit(old, { ...old, values }, 'prod_1', 4);
    expect(edit(toSaleForm({ ...sale, variants }))).toEqual({ version: 4 });
    const [small, medium] = old.values.variants as [VariantValues, VariantValues];
    expect(edit({ ...old.values, variants: [medium, { ...small, stock: '4' }] })).toEqual({
      version: 4,
      totalStock: 7,
      variants: [variants[1], { ...variants[0], stock: 4 }],
    });
  });

  it('has its phases in the order of time', () => {
    const reservation = { opensAt: startsAt - 9e6, closesAt: startsAt - 300_000 };
    expect(phasesOf({ ...sale, reservation }).map(({ phase }) => phase)).toEqual([
      'reservationOpens',
      'entryOpens',
      'reservationCloses',
      'starts',
      'ends',
      'lastPayment',
    ]);
    expect(phasesOf(sale).at(-1)).toEqual({ phase: 'lastPayment', at: sale.endsAt + 50_000 });
  });
});

describe('[O1] a copy of a sale', () => {
  const HOUR = 3_600_000;
  const ended: EditableSale = {
    ...sale,
    status: 'closed',
    limits: null,
    variants: [{ name: 'Large', stock: 5, picture: null }],
  };

  it('has everything of it, at the same time of the first day that is still to come', () => {
    const copy = toCopyForm(ended, startsAt + 49 * HOUR);
    const { startsAt: begins, endsAt, variants, ...rest } = toSaleForm(ended);
    expect(Date.parse(copy.startsAt)).toBe(Date.parse(begins) + 72 * HOUR);
    expect(Date.parse(copy.endsAt)).toBe(Date.parse(endsAt) + 72 * HOUR);
    expect(copy).toMatchObject(rest);
    expect(copy.variants).toMatchObject([{ name: 'Large', stock: '5' }]);
    expect(variants).toHaveLength(1);
  });

  it('leaves time for its reservations, and keeps a start that is still to come', () => {
    const reservation = { opensAt: startsAt - 30 * HOUR, closesAt: startsAt - HOUR };
    const copy = toCopyForm({ ...ended, reservation }, startsAt);
    expect(Date.parse(copy.reservationOpensAt)).toBeGreaterThan(startsAt);
    expect(Date.parse(copy.startsAt) - Date.parse(copy.reservationClosesAt)).toBe(HOUR);
    expect(toCopyForm(ended, startsAt - HOUR).startsAt).toBe(toSaleForm(ended).startsAt);
  });
});

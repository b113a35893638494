import { describe, expect, it } from 'vitest';
import { STEPS, wrongFieldOf, wrongStep } from './form-steps';
import { initialSaleForm, type SaleFormValues } from './sale-form-values';

const values = initialSaleForm(Date.now(), 'USD', '/products/lamp.svg');

describe('[L3] the steps of the sale form', () => {
  it('between them ask for every field, each once', () => {
    const names = Object.keys(values) as (keyof SaleFormValues)[];
    for (const name of names) {
      const asking = STEPS.filter(
        (step) => wrongFieldOf(step, { [name]: { key: 'wrong' } as const }, {}) === name,
      );
      expect(asking, name).toHaveLength(1);
    }
  });

  it('say which is the first with something wrong', () => {
    expect(wrongStep({}, {})).toBeNull();
    expect(wrongStep({ minLevel: { key: 'wrong' }, price: { key: 'priceInvalid' } }, {})).toBe('price');
    expect(wrongStep({}, { 'ip.windowSec': { max: 5 } })).toBe('who');
    expect(wrongFieldOf('who', {}, { 'ip.windowSec': { max: 5 } })).toBe('ip.windowSec');
    expect(wrongFieldOf('price', { 'variants.2.stock': { key: 'wrong' } }, {})).toBe('variants.2.stock');
  });
});

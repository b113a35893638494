import { describe, expect, it } from 'vitest';
import { checkSending, type SendingValues, toSending, toSendingValues } from './sending-values';

const EMPTY = toSendingValues(null);
const typed = (change: Partial<SendingValues>) => ({ ...EMPTY, ...change });

describe('[O5] weight and tax of a product as they are typed', () => {
  it.each([
    ['19', 1900],
    ['8.1', 810],
    ['5,05', 505],
    ['0', 0],
    ['100', 10_000],
    ['', null],
  ])('reads %s %% as %s', (tax, taxRate) => {
    expect(checkSending(typed({ tax }))).toEqual({});
    expect(toSending(typed({ tax }))).toMatchObject({ taxRate });
  });

  it.each(['100.01', '-1', '1.234', 'x', '1e1'])('refuses %s %%', (tax) => {
    expect(checkSending(typed({ tax }))).toEqual({ tax: 'taxInvalid' });
  });

  it('takes whole grams, and asks where to pick a product up', () => {
    expect(toSending(typed({ weight: ' 250 ' }))).toMatchObject({ weightGrams: 250 });
    for (const weight of ['0', '1.5', '1000001', '1e3'])
      expect(checkSending(typed({ weight }))).toEqual({ weight: 'weightInvalid' });
    expect(checkSending(typed({ delivery: 'pickup' }))).toEqual({ pickupPlace: 'required' });
    expect(toSending(typed({ delivery: 'pickup', pickupPlace: ' Berlin ' })).delivery).toEqual({
      way: 'pickup',
      place: 'Berlin',
    });
  });
});

import { describe, expect, it } from 'vitest';
import { isOutage } from './is-outage';

const withCode = (code: string) => Object.assign(new Error('x'), { code });

describe('isOutage', () => {
  it('[J4] knows unreachable servers, also as the cause of something else', () => {
    expect(isOutage(withCode('ECONNREFUSED'))).toBe(true);
    expect(isOutage(new Error('query failed', { cause: withCode('57P01') }))).toBe(true);
    expect(isOutage(new AggregateError([withCode('ECONNREFUSED')]))).toBe(true);
    expect(isOutage(new Error('LOADING Redis is loading the dataset in memory'))).toBe(true);
  });

  it('[J4] does not excuse bugs', () => {
    expect(isOutage(new TypeError('x is not a function'))).toBe(false);
    expect(isOutage(withCode('23505'))).toBe(false);
    expect(isOutage('ECONNREFUSED')).toBe(false);
    expect(isOutage(undefined)).toBe(false);
  });

  it('[J4] is not led in circles', () => {
    const error = new Error('x');
    error.cause = error;
    expect(isOutage(error)).toBe(false);
  });
});

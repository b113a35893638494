import { describe, expect, it } from 'vitest';
import { parseWish } from './parse-wish';

describe('parseWish', () => {
  it.each([
    ['', 1],
    ['{}', 1],
    ['{"quantity":3}', 3],
    ['{"quantity":1000}', 1000],
  ])('[C1] reads %j as %i', (body, quantity) => {
    expect(parseWish(body)).toEqual({ status: 'ok', wish: { quantity } });
  });

  it.each(['0', '-1', '1.5', '1e9', '"1"', '"NaN"', 'null', 'true', '[1]', '{}'])(
    '[C1] refuses the quantity %s',
    (quantity) => {
      expect(parseWish(`{"quantity":${quantity}}`)).toEqual({ status: 'invalid' });
    },
  );

  it.each(['null', '[]', '7', '"x"'])('[C1] refuses the body %s', (body) => {
    expect(parseWish(body)).toEqual({ status: 'invalid' });
  });

  it.each(['{', 'quantity=1', '{"quantity":}'])('[C1] tells malformed JSON apart: %s', (body) => {
    expect(parseWish(body)).toEqual({ status: 'malformed' });
  });
});

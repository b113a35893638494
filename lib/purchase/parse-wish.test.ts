import { describe, expect, it } from 'vitest';
import { parseWish } from './parse-wish';

describe('parseWish', () => {
  it.each([
    ['', 1, 0],
    ['{}', 1, 0],
    ['{"quantity":3}', 3, 0],
    ['{"quantity":1000}', 1000, 0],
    ['{"variant":2}', 1, 2],
    ['{"quantity":3,"variant":20}', 3, 20],
  ])('[C1] reads %j as %i of variant %i', (body, quantity, variant) => {
    expect(parseWish(body)).toEqual({ status: 'ok', wish: { quantity, variant } });
  });

  it.each(['0', '-1', '1.5', '1e9', '"1"', '"NaN"', 'null', 'true', '[1]', '{}'])(
    '[C1] refuses the quantity %s',
    (quantity) => {
      expect(parseWish(`{"quantity":${quantity}}`)).toEqual({ status: 'invalid_quantity' });
    },
  );

  it.each(['-1', '21', '1.5', '1e9', '"1"', 'null', 'true', '[1]', '{}'])(
    '[O3] refuses the variant %s',
    (variant) => {
      expect(parseWish(`{"variant":${variant}}`)).toEqual({ status: 'unknown_variant' });
    },
  );

  it.each(['null', '[]', '7', '"x"'])('[C1] refuses the body %s', (body) => {
    expect(parseWish(body)).toEqual({ status: 'invalid_quantity' });
  });

  it.each(['{', 'quantity=1', '{"quantity":}'])('[C1] tells malformed JSON apart: %s', (body) => {
    expect(parseWish(body)).toEqual({ status: 'malformed' });
  });
});

import { expect, it } from 'vitest';
import { checkProduct } from './product-values';

const good = { name: 'Paper lantern', slug: 'paper-lantern', description: '', imageUrl: '' };

it('[O1] a product needs a name and an address that can be one', () => {
  expect(checkProduct(good)).toEqual({});
  expect(checkProduct({ ...good, name: ' ' })).toEqual({ name: 'required' });
  for (const slug of ['', 'Paper', '-a', 'a--b', 'x'.repeat(81)])
    expect(checkProduct({ ...good, slug }), slug).toEqual({ slug: 'slugInvalid' });
});

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DEMO_SALES } from '@/lib/demo/catalog';
import { PICTURES, picturePath } from './pictures';

const root = join(import.meta.dirname, '../../../public');

it('[A1] the form offers exactly the pictures there are', () => {
  expect(readdirSync(join(root, 'products')).sort()).toEqual(PICTURES.map((name) => `${name}.svg`).sort());
  expect(existsSync(join(root, picturePath('parcel')))).toBe(true);
});

it('[A1] every demo product has its picture', () => {
  const missing = DEMO_SALES.filter(({ product }) => !existsSync(join(root, product.imageUrl ?? '')));
  expect(missing.map(({ slug }) => slug)).toEqual([]);
});

import { expect, it } from 'vitest';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { productData } from './product-data';

const SALE = {
  slug: 'lamp',
  title: 'Lamp </script><script>alert(1)</script>',
  description: 'Bright & "warm"\n<b>',
  imageUrl: '/products/lamp.svg',
  priceMinor: 4_205,
  currency: 'EUR',
  startsAt: Date.UTC(2030, 0, 2),
  endsAt: Date.UTC(2030, 0, 3),
  limitPerUser: 2,
} as unknown as SaleInfo;

it('[O9] says what is sold, for how much, from when to when, and how many one person may have', () => {
  expect(JSON.parse(productData(SALE, 'https://shop.test'))).toMatchObject({
    '@type': 'Product',
    name: SALE.title,
    description: SALE.description,
    image: 'https://shop.test/products/lamp.svg',
    offers: {
      url: 'https://shop.test/sales/lamp',
      price: '42.05',
      priceCurrency: 'EUR',
      availabilityStarts: '2030-01-02T00:00:00.000Z',
      availabilityEnds: '2030-01-03T00:00:00.000Z',
      eligibleQuantity: { minValue: 1, maxValue: 2 },
    },
  });
  expect(JSON.parse(productData({ ...SALE, currency: 'JPY' }, 'https://shop.test')).offers.price).toBe(
    '4205',
  );
  expect(JSON.parse(productData({ ...SALE, imageUrl: null }, 'https://shop.test'))).not.toHaveProperty(
    'image',
  );
});

it('[O9 N8] no word of a merchant ends the data', () => {
  expect(productData(SALE, 'https://shop.test')).not.toContain('<');
});

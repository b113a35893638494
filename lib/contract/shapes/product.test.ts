import { describe, expect, it } from 'vitest';
import { newProduct, productEdit } from './product';

const valid = { slug: 'paper-lantern', name: 'Paper lantern', description: '' };
const isValid = (input: object) => newProduct.safeParse(input).success;

describe('newProduct', () => {
  it('[B1] takes a product as the API describes it', () => {
    expect(isValid(valid)).toBe(true);
    expect(isValid({ ...valid, imageUrl: '/products/x.svg', attributes: { colour: 'red' } })).toBe(true);
    const texts = { 'zh-CN': { name: '纸灯笼', description: '', attributes: { 颜色: '红' } }, en: {} };
    expect(isValid({ ...valid, texts })).toBe(true);
  });

  it.each([
    ['slug', 'Paper Lantern'],
    ['slug', '-x'],
    ['slug', 'x'.repeat(81)],
    ['slug', '../etc'],
    ['name', ''],
    ['description', 'x'.repeat(10_001)],
    ['imageUrl', 'javascript:alert(1)'],
    ['imageUrl', 'data:image/png;base64,AA'],
    ['imageUrl', '//evil.test/x.png'],
    ['imageUrl', 'https://no host/x.png'],
    ['imageUrl', 'http://[::1'],
    ['attributes', { size: 5 }],
    ['attributes', Object.fromEntries(Array.from({ length: 31 }, (_, n) => [`k${n}`, 'v']))],
    ['texts', { fr: { name: 'Lanterne' } }],
    ['texts', { en: { name: ' ' } }],
    ['texts', { en: { slug: 'lantern' } }],
    ['texts', { en: { description: 'x'.repeat(10_001) } }],
    ['texts', { en: { attributes: { size: 5 } } }],
  ])('[B1] refuses %s = %j', (field, value) => {
    expect(isValid({ ...valid, [field]: value })).toBe(false);
  });

  it('[F3] an edit says which version it is based on', () => {
    expect(productEdit.safeParse({ name: 'x' }).success).toBe(false);
    expect(productEdit.safeParse({ name: 'x', version: 1 }).success).toBe(true);
  });
});

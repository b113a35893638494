import { expect, it } from 'vitest';
import { alternatesOf } from './alternates';
import { routing } from './routing';

it('[O9] names the page itself as canonical, and every language with the default one for the others', () => {
  const { canonical, languages } = alternatesOf('/sales/lamp', 'zh-CN', 'https://shop.test');
  expect(canonical).toBe('https://shop.test/zh-CN/sales/lamp');
  expect(languages).toMatchObject({
    en: 'https://shop.test/sales/lamp',
    'zh-CN': 'https://shop.test/zh-CN/sales/lamp',
    'x-default': 'https://shop.test/sales/lamp',
  });
  expect(Object.keys(languages ?? {})).toHaveLength(routing.locales.length + 1);
  expect(alternatesOf('/', 'zh-CN', 'https://shop.test').canonical).toBe('https://shop.test/zh-CN');
});

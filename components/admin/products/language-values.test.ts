import { expect, it } from 'vitest';
import type { Product } from '@/lib/contract/shapes/product';
import { toLanguageValues, toProductTexts } from './language-values';

it('[O1] the texts of a product by language come back from the form as they were, and an empty field says nothing', () => {
  const texts: Product['texts'] = {
    en: { name: 'Lamp' },
    'zh-CN': { description: '台灯', attributes: { 材质: '纸' } },
  };
  const values = toLanguageValues({ texts } as Product);
  expect(values).toMatchObject({ 'name.en': 'Lamp', 'name.zh-CN': '', 'attributes.zh-CN': '材质: 纸' });
  expect(toProductTexts(values)).toEqual(texts);
  expect(toProductTexts({ ...values, 'name.en': '  ' })).toEqual({ 'zh-CN': texts['zh-CN'] });
  expect(toProductTexts(toLanguageValues(null))).toEqual({});
});

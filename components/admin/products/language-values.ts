import { type Locale, routing } from '@/i18n/routing';
import type { Product, ProductTexts } from '@/lib/contract/shapes/product';
import { readAttributeLines, toAttributeLines } from './attribute-lines';

export const TEXT_FIELDS = ['name', 'description', 'attributes'] as const;
export type TextName = (typeof TEXT_FIELDS)[number];

/** A field of the form for one language: `name.zh-CN`. */
export type LanguageField = `${TextName}.${Locale}`;
export type LanguageValues = Record<LanguageField, string>;

/** Returns what the form shows of a product's texts by language. */
export const toLanguageValues = (product: Product | null): LanguageValues =>
  Object.fromEntries(
    routing.locales.flatMap((locale) => {
      const { name = '', description = '', attributes = {} } = product?.texts[locale] ?? {};
      return [
        [`name.${locale}`, name],
        [`description.${locale}`, description],
        [`attributes.${locale}`, toAttributeLines(attributes)],
      ];
    }),
  ) as LanguageValues;

/** Returns the texts that the form holds. An empty field says nothing. Attributes that can't be read are left out. */
export const toProductTexts = (values: LanguageValues): ProductTexts =>
  Object.fromEntries(
    routing.locales.flatMap((locale) => {
      const [name, description] = [values[`name.${locale}`].trim(), values[`description.${locale}`].trim()];
      const attributes = readAttributeLines(values[`attributes.${locale}`]) ?? {};
      const texts = {
        ...(name && { name }),
        ...(description && { description }),
        ...(Object.keys(attributes).length > 0 && { attributes }),
      };
      return Object.keys(texts).length > 0 ? [[locale, texts]] : [];
    }),
  );

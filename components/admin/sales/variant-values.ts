import { newRequestId } from '@/components/api/new-request-id';
import type { Variant } from '@/lib/contract/shapes/variant';
import { wholeNumber } from './number-settings';

/** A variant as the user typed it. */
export interface VariantValues {
  /** Tells the rows of the form apart. */
  id: string;
  name: string;
  stock: string;
  /** The hash of one of the product's pictures; empty: none. */
  picture: string;
}

/** A field of a variant, as the contract names it in an error. */
export type VariantField = `variants.${number}.${'name' | 'stock' | 'picture'}`;
type VariantProblem = { key: 'required' | 'variantTwice' } | { key: 'notANumber'; min: number };

export const newVariant = (): VariantValues => ({ id: newRequestId(), name: '', stock: '', picture: '' });

/** Returns what the form shows for the variants of a sale. */
export const toVariantValues = (variants: readonly Variant[]): VariantValues[] =>
  variants.map(({ name, stock, picture }) => ({
    id: newRequestId(),
    name,
    stock: String(stock),
    picture: picture ?? '',
  }));

/** Makes the variants to send, from a form in which nothing is wrong. */
export const toVariants = (values: readonly VariantValues[]): Variant[] =>
  values.map(({ name, stock, picture }) => ({
    name: name.trim(),
    stock: wholeNumber(stock) ?? 0,
    picture: picture || null,
  }));

/** Adds up the stock of all variants. */
export const sumOfStocks = (values: readonly VariantValues[]): number =>
  toVariants(values).reduce((sum, { stock }) => sum + Math.max(0, stock), 0);

/** Finds what is wrong with the variants, by field. */
export function checkVariants(
  values: readonly VariantValues[],
): Partial<Record<VariantField, VariantProblem>> {
  const problems: Partial<Record<VariantField, VariantProblem>> = {};
  const names = values.map(({ name }) => name.trim().toLowerCase());
  for (const [index, { stock }] of values.entries()) {
    const name = names[index] as string;
    if (name === '') problems[`variants.${index}.name`] = { key: 'required' };
    else if (names.indexOf(name) < index) problems[`variants.${index}.name`] = { key: 'variantTwice' };
    if ((wholeNumber(stock) ?? -1) < 0) problems[`variants.${index}.stock`] = { key: 'notANumber', min: 0 };
  }
  return problems;
}

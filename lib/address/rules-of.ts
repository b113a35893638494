import 'server-only';
import { ADDRESS_PARTS, type AddressForm, type AddressPart } from '@/lib/contract/shapes/address';
import formats from './formats.json';

/** `format` as Google's address data writes it: `%C` city, `%S` region, `%Z` postal code. */
type Format = { format: string; required: string; postalCode?: string; example?: string };

const FORMATS: Readonly<Record<string, Format | undefined>> = formats;

/** All countries and territories to which an address may belong, ISO 3166-1 alpha-2, in order. */
export const COUNTRIES: readonly string[] = Object.keys(formats).sort();

const LETTERS: Record<AddressPart, string> = { city: 'C', region: 'S', postalCode: 'Z' };

/**
 * Returns what an address in a country consists of, besides name and lines; null: there is no such country. The rules are
 * Google's address data, as libaddressinput uses them (decision 099).
 */
export function rulesOf(country: string): AddressForm['parts'] | null {
  const rule = Object.hasOwn(formats, country) ? FORMATS[country] : undefined;
  if (!rule) return null;
  const at = (part: AddressPart) => rule.format.indexOf(`%${LETTERS[part]}`);
  return ADDRESS_PARTS.filter((part) => at(part) >= 0)
    .sort((one, other) => at(one) - at(other))
    .map((name) => ({
      name,
      isRequired: rule.required.includes(LETTERS[name]),
      pattern: name === 'postalCode' ? (rule.postalCode ?? null) : null,
      example: name === 'postalCode' ? (rule.example ?? null) : null,
    }));
}

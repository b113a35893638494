import 'server-only';
import { ADDRESS_PARTS, type AddressForm, type AddressPart } from '@/lib/contract/shapes/address';
import formats from './formats.json';

/** One letter for each part: `C` city, `S` region, `Z` postal code. README.md says where the data come from. */
type Format = { parts: string; needs: string; code?: string; example?: string };

const FORMATS: Readonly<Record<string, Format | undefined>> = formats;
const LETTERS: Record<AddressPart, string> = { city: 'C', region: 'S', postalCode: 'Z' };

/** All countries and territories to which an address may belong, ISO 3166-1 alpha-2, in order. */
export const COUNTRIES: readonly string[] = Object.keys(formats).sort();

/** Returns the parts of a country's addresses, besides name and lines, in its order; null: there is no such country. */
export function rulesOf(country: string): AddressForm['parts'] | null {
  const format = Object.hasOwn(formats, country) ? FORMATS[country] : undefined;
  if (!format) return null;
  const at = (part: AddressPart) => format.parts.indexOf(LETTERS[part]);
  return ADDRESS_PARTS.filter((part) => at(part) >= 0)
    .sort((one, other) => at(one) - at(other))
    .map((name) => ({
      name,
      isRequired: format.needs.includes(LETTERS[name]),
      pattern: name === 'postalCode' ? (format.code ?? null) : null,
      example: name === 'postalCode' ? (format.example ?? null) : null,
    }));
}

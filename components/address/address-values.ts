import { ApiProblem } from '@/components/api/api-problem';
import type { Address, AddressForm, AddressPart } from '@/lib/contract/shapes/address';

/** The form's fields as the visitor typed them. */
export type AddressValues = Record<'name' | 'line1' | 'line2' | AddressPart | 'phone', string>;
type AddressFault = 'needed' | 'codeWrong' | 'phoneWrong' | 'wrong';
export type AddressFaults = Partial<Record<keyof AddressValues, AddressFault>>;

/** Fills the form with an address. A third line stands behind the second. */
export const toValues = (address: Address | null): AddressValues => ({
  name: address?.name ?? '',
  line1: address?.lines[0] ?? '',
  line2: address?.lines.slice(1).join(', ') ?? '',
  city: address?.city ?? '',
  region: address?.region ?? '',
  postalCode: address?.postalCode ?? '',
  phone: address?.phone ?? '',
});

/** Makes the address of the form; the server leaves out what the country does not use. */
export const fromValues = (values: AddressValues, country: string): Address => ({
  name: values.name.trim(),
  lines: [values.line1, values.line2].map((line) => line.trim()).filter(Boolean),
  city: values.city.trim(),
  region: values.region.trim(),
  postalCode: values.postalCode.trim().toUpperCase(),
  country,
  phone: values.phone.trim(),
});

/** Finds what is wrong with the form, by field in its order, before anything is sent. */
export function checkValues(values: AddressValues, parts: AddressForm['parts']): AddressFaults {
  const found: AddressFaults = {};
  for (const name of ['name', 'line1'] as const) if (values[name].trim() === '') found[name] = 'needed';
  for (const { name, isRequired, pattern } of parts) {
    const value = values[name].trim().toUpperCase();
    if (value === '' && isRequired) found[name] = 'needed';
    if (value !== '' && pattern !== null && !new RegExp(`^(?:${pattern})$`).test(value))
      found[name] = 'codeWrong';
  }
  if (!/^[+\d ()./-]*$/.test(values.phone.trim())) found.phone = 'phoneWrong';
  return found;
}

/** The fields that the server refused, by the form's names. */
export function refusedValues(error: unknown): AddressFaults {
  const paths = error instanceof ApiProblem ? error.fields.map(({ path }) => path) : [];
  const names = paths.map((path) =>
    path
      .replace('address.', '')
      .replace('lines.0', 'line1')
      .replace(/^lines.*/, 'line2'),
  );
  return Object.fromEntries(names.map((name) => [name, 'wrong']));
}

/**
 * Guesses the visitor's country from the browser's languages.
 * @param languages as `navigator.languages` has them; some browsers give names that are none, such as "en-US@posix"
 */
export function guessCountry(languages: readonly string[]): string {
  const locales = languages.flatMap((language) => {
    try {
      return [new Intl.Locale(language.replace(/@.*$/, ''))];
    } catch {
      return [];
    }
  });
  const countries = [...locales, ...locales.slice(0, 1).map((first) => first.maximize())].map(
    ({ region }) => region,
  );
  return countries.find((country) => country && /^[A-Z]{2}$/.test(country)) ?? 'US';
}

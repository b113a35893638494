import 'server-only';
import type { Address } from '@/lib/contract/shapes/address';
import type { FieldProblem } from '@/lib/http/read-json';
import { rulesOf } from './rules-of';

/**
 * Checks an address by the rules of its country, and leaves out the parts that the country does not use.
 * @returns the address to keep, or what is wrong with it, by field; `under` goes before the fields' names
 */
export function checkAddress(
  address: Address,
  under = '',
): { ok: true; address: Address } | { ok: false; fields: FieldProblem[] } {
  const rules = rulesOf(address.country);
  if (!rules) return { ok: false, fields: [{ path: `${under}country`, message: 'is not a country' }] };
  const kept: Address = { ...address, city: '', region: '', postalCode: '' };
  const fields: FieldProblem[] = [];
  for (const { name, isRequired, pattern } of rules) {
    const value = address[name];
    kept[name] = value;
    if (value === '' && isRequired) fields.push({ path: under + name, message: 'is needed in this country' });
    if (value !== '' && pattern !== null && !new RegExp(`^(?:${pattern})$`).test(value))
      fields.push({ path: under + name, message: 'is not written like this in this country' });
  }
  return fields.length > 0 ? { ok: false, fields } : { ok: true, address: kept };
}

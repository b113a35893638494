import 'server-only';
import type { Address } from '@/lib/contract/shapes/address';
import { rulesOf } from './rules-of';

type Checked = { ok: true; address: Address } | { ok: false; fields: { path: string; message: string }[] };

/**
 * Checks an address by the rules of its country, and leaves out the parts that the country does not use.
 * @param address in the contract's shape: normalised, each part one line of bounded length
 * @returns the address to keep, or what is wrong with it, by field as the body names it
 */
export function checkAddress(address: Address): Checked {
  const rules = rulesOf(address.country);
  if (!rules) return { ok: false, fields: [{ path: 'address.country', message: 'is not a country' }] };
  const kept: Address = { ...address, city: '', region: '', postalCode: '' };
  const fields = rules.flatMap(({ name, isRequired, pattern }) => {
    const value = address[name];
    kept[name] = value;
    const path = `address.${name}`;
    if (value === '') return isRequired ? [{ path, message: 'is needed in this country' }] : [];
    const isWrong = pattern !== null && !new RegExp(`^(?:${pattern})$`).test(value);
    return isWrong ? [{ path, message: 'is not written like this in this country' }] : [];
  });
  return fields.length > 0 ? { ok: false, fields } : { ok: true, address: kept };
}

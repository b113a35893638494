'use client';

import { useLocale } from 'next-intl';
import type { Address } from '@/lib/contract/shapes/address';
import { countryName } from './country-name';

/** Shows an address line by line; each in the direction of its own script. */
export function AddressLines({ address }: { address: Address }) {
  const locale = useLocale();
  const { name, lines, city, region, postalCode, country, phone } = address;
  const place = [postalCode, city].filter(Boolean).join(' ');
  const all = [name, ...lines, place, region, countryName(country, locale), phone].filter(Boolean);
  return (
    <address className="not-italic">
      {all.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be the same, and none moves.
        <span key={index} dir="auto" className="block break-words">
          {line}
        </span>
      ))}
    </address>
  );
}

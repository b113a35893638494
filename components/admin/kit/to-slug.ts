import { MAX_SLUG_LENGTH } from '@/lib/contract/words/product';

const SPARE_CHARS = 6;

/**
 * Makes an address of a name: `Rain jacket, blue` → `rain-jacket-blue`. A name without Latin letters and digits gets
 * the spare one; no name gets none.
 */
export function toSlug(name: string, spare: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/-+$/, '');
  return slug || (name.trim() && spare);
}

/** Returns an address for a name that gives none, such as `sale-k3x9a2`; one form keeps one. */
export const spareSlug = (): string =>
  `sale-${[...crypto.getRandomValues(new Uint8Array(SPARE_CHARS))].map((byte) => (byte % 36).toString(36)).join('')}`;

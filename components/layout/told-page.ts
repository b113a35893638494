import type { Metadata } from 'next';
import { alternatesOf } from '@/i18n/alternates';
import type { Locale } from '@/i18n/routing';
import { env } from '@/lib/env';
import { sharedPicture } from './shared-picture';

const MAX_DESCRIPTION = 200;
/** Stands where a page has no picture that previews of it can show. */
const SHOP_PICTURE = '/icon-512.png';

type Told = { path: string; locale: Locale; title: string; description: string; picture?: string | null };

/**
 * Returns what search engines and those who share a page's address are told of it. Only for pages made at run time:
 * while building, nobody knows the shop's address.
 * @param path without language @param description only its beginning is used @param picture of what the page is about
 */
export function toldPage({ path, locale, title, description, picture = null }: Told): Metadata {
  const alternates = alternatesOf(path, locale, env().publicUrl);
  const beginning = description.slice(0, MAX_DESCRIPTION);
  const shown = sharedPicture(picture);
  return {
    title,
    description: beginning,
    alternates,
    openGraph: {
      type: 'website',
      url: String(alternates.canonical),
      title,
      description: beginning,
      locale: locale.replace('-', '_'),
      images: [new URL(shown ?? SHOP_PICTURE, env().publicUrl).href],
    },
    twitter: { card: shown === null ? 'summary' : 'summary_large_image' },
  };
}

'use client';

import { useLocale } from 'next-intl';
import type { MouseEvent } from 'react';
import { useIsClient } from '@/components/ui/use-is-client';
import { getPathname, usePathname } from '@/i18n/navigation';
import { LANGUAGE_NAMES, routing } from '@/i18n/routing';
import { internalPath } from '@/lib/http/internal-path';

/** Links to this page in the other languages. Loads the page in full, because the document's language changes. */
export function LanguageLink({ className }: { className?: string }) {
  const current = useLocale();
  // Pages that share a shell don't know their address before they hydrate.
  const isClient = useIsClient();
  const path = usePathname();
  // The address of a missing page may be anything.
  const pathname = (isClient && internalPath(path, window.location.origin)) || '/';

  const keepQuery = (event: MouseEvent<HTMLAnchorElement>) => {
    const { search, hash } = window.location;
    if (!search && !hash) return;
    event.currentTarget.search = search;
    event.currentTarget.hash = hash;
  };

  return routing.locales
    .filter((locale) => locale !== current)
    .map((locale) => (
      <a
        key={locale}
        href={getPathname({ href: pathname, locale })}
        hrefLang={locale}
        lang={locale}
        onClick={keepQuery}
        className={className}
      >
        {LANGUAGE_NAMES[locale]}
      </a>
    ));
}

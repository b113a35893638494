'use client';

import { useLocale } from 'next-intl';
import type { MouseEvent, ReactNode } from 'react';
import { useIsClient } from '@/components/ui/use-is-client';
import { getPathname, usePathname } from '@/i18n/navigation';
import { LANGUAGES, type Locale } from '@/i18n/routing';
import { internalPath } from '@/lib/http/internal-path';

type LanguageLinkProps = { locale: Locale; className?: string; children?: ReactNode };

/** Links to this page in a language, by the language's own name. Loads the page in full, because the document's language changes. */
export function LanguageLink({ locale, className, children }: LanguageLinkProps) {
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

  return (
    <a
      href={getPathname({ href: pathname, locale })}
      hrefLang={locale}
      lang={locale}
      aria-current={locale === current ? 'true' : undefined}
      onClick={keepQuery}
      className={className}
    >
      {LANGUAGES[locale]}
      {children}
    </a>
  );
}

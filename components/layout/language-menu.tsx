'use client';

import { useLocale, useTranslations } from 'next-intl';
import { type FocusEvent, type KeyboardEvent, useEffect, useRef } from 'react';
import { cn } from '@/components/ui/cn';
import { navLinkStyle } from '@/components/ui/nav-link-style';
import { useIsClient } from '@/components/ui/use-is-client';
import { matchLanguage } from '@/i18n/match-language';
import { LANGUAGES, routing } from '@/i18n/routing';
import { LanguageLink } from './language-link';

/** Lists the languages of this page; it opens without scripts, too. Beside it stands the one that the browser prefers. */
export function LanguageMenu() {
  const t = useTranslations('Layout');
  const current = useLocale();
  const isClient = useIsClient();
  const menu = useRef<HTMLDetailsElement>(null);
  const preferred = isClient ? matchLanguage(navigator.languages) : null;

  const close = () => menu.current?.removeAttribute('open');
  useEffect(() => {
    const onPress = ({ target }: PointerEvent) => {
      if (target instanceof Node && !menu.current?.contains(target)) menu.current?.removeAttribute('open');
    };
    document.addEventListener('pointerdown', onPress);
    return () => document.removeEventListener('pointerdown', onPress);
  }, []);
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    // Safari gives a pressed link no focus: then nothing has it, and the link must stay until it is followed.
    if (relatedTarget && !currentTarget.contains(relatedTarget)) close();
  };
  const onKeyDown = ({ key, currentTarget }: KeyboardEvent) => {
    if (key !== 'Escape') return;
    close();
    currentTarget.querySelector('summary')?.focus();
  };

  return (
    <>
      {preferred && preferred !== current ? (
        <LanguageLink locale={preferred} className={navLinkStyle} />
      ) : null}
      <details ref={menu} className="relative shrink-0" onBlur={onBlur} onKeyDown={onKeyDown}>
        <summary
          className={cn(
            navLinkStyle,
            'min-w-11 list-none justify-center gap-1.5 [&::-webkit-details-marker]:hidden',
          )}
        >
          <GlobeIcon />
          <span className="sr-only">{t('language')}:</span>
          <span className="max-sm:sr-only">{LANGUAGES[current]}</span>
        </summary>
        <ul className="absolute top-full right-0 z-40 mt-1 min-w-40 rounded-xl border border-line bg-panel p-1 shadow-card">
          {routing.locales.map((locale) => (
            <li key={locale}>
              <LanguageLink
                locale={locale}
                className={cn(
                  navLinkStyle,
                  'w-full justify-between gap-4 px-3',
                  locale === current && 'font-semibold',
                )}
              >
                {locale === current ? <span aria-hidden="true">✓</span> : null}
              </LanguageLink>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

const GlobeIcon = () => (
  <svg
    viewBox="0 0 24 24"
    aria-hidden="true"
    className="size-6 sm:size-5"
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
  >
    <circle cx="12" cy="12" r="9" />
    <path d="M3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18" />
  </svg>
);

import { getTranslations } from 'next-intl/server';
import { Link } from '@/i18n/navigation';
import { routing } from '@/i18n/routing';
import type { SitePage } from '@/lib/contract/words/site-page';
import { LanguageLink } from './language-link';

const LINK = 'inline-flex min-h-11 items-center rounded-lg px-2 hover:bg-sunken hover:text-text';

/** @param pages those with the shop's own words that somebody has written */
export async function SiteFooter({ pages }: { pages: readonly SitePage[] }) {
  const t = await getTranslations('Layout');
  const names = await getTranslations('SitePages');
  return (
    <footer className="mt-16 border-line border-t">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-8 gap-y-2 px-4 py-5 text-muted text-sm sm:px-6">
        <p className="py-2">{t('footer')}</p>
        {pages.length > 0 ? (
          <nav aria-label={names('label')}>
            <ul className="-mx-2 flex flex-wrap">
              {pages.map((page) => (
                <li key={page}>
                  <Link href={`/info/${page}`} prefetch={false} className={LINK}>
                    {names(page)}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        ) : null}
        <nav aria-label={t('language')}>
          <ul className="-mx-2 flex flex-wrap">
            {routing.locales.map((locale) => (
              <li key={locale}>
                <LanguageLink
                  locale={locale}
                  className={`${LINK} aria-[current]:font-semibold aria-[current]:text-text`}
                />
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </footer>
  );
}

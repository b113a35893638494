import { getTranslations } from 'next-intl/server';
import { navLinkStyle } from '@/components/ui/nav-link-style';
import { Link } from '@/i18n/navigation';
import { LanguageLink } from './language-link';
import { Logo } from './logo';
import { SessionNav } from './session-nav';

export async function SiteHeader() {
  const t = await getTranslations('Layout');
  const meta = await getTranslations('Meta');
  return (
    <header className="border-line border-b bg-panel">
      <div className="mx-auto flex h-16 max-w-6xl items-center justify-between gap-x-2 px-4 sm:px-6">
        <Link
          href="/"
          prefetch={false}
          aria-label={t('home')}
          className="inline-flex min-h-11 items-center gap-2 rounded-lg font-bold text-lg tracking-tight"
        >
          <Logo className="size-8" />
          <span className="hidden sm:inline">{meta('name')}</span>
        </Link>
        {/* Keeps to one row, however many links a signed-in user has: the page below must not move. */}
        <nav
          aria-label={t('mainNav')}
          className="flex min-w-0 items-center overflow-x-auto p-1 [scrollbar-width:none]"
        >
          <SessionNav />
          <LanguageLink className={navLinkStyle} />
        </nav>
      </div>
      <noscript>
        <p className="bg-warning-soft px-4 py-3 text-center text-warning">{t('noScript')}</p>
      </noscript>
    </header>
  );
}

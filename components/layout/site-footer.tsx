import { getTranslations } from 'next-intl/server';
import { Link } from '@/i18n/navigation';

export async function SiteFooter() {
  const t = await getTranslations('Layout');
  const api = await getTranslations('ApiDocs');
  return (
    <footer className="mt-16 border-line border-t">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-6 px-4 py-5 text-muted text-sm sm:px-6">
        <p>{t('footer')}</p>
        <Link href="/docs/api" prefetch={false} className="inline-flex min-h-11 items-center hover:underline">
          {api('title')}
        </Link>
      </div>
    </footer>
  );
}

import { getTranslations } from 'next-intl/server';

export async function SiteFooter() {
  const t = await getTranslations('Layout');
  return (
    <footer className="mt-16 border-line border-t">
      <p className="mx-auto max-w-6xl px-4 py-8 text-muted text-sm sm:px-6">{t('footer')}</p>
    </footer>
  );
}

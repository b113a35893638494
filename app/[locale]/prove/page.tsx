import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { ProveReceipt } from '@/components/prove/prove-receipt';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface ProveProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: ProveProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return { title: t('prove') };
}

export default async function Prove({ params }: ProveProps) {
  await staticLocale(params);
  const t = await getTranslations('Prove');
  return (
    <Page width="text">
      <PageMessages of={['Prove']}>
        <div className="grid gap-6">
          <div className="grid gap-2">
            <h1 className="font-bold text-3xl tracking-tight">{t('heading')}</h1>
            <p className="text-lg text-muted">{t('text')}</p>
          </div>
          <ProveReceipt />
        </div>
      </PageMessages>
    </Page>
  );
}

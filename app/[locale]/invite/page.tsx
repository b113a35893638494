import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { InvitePage } from '@/components/invite/invite-page';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface InviteProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: InviteProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return { title: t('invite') };
}

export default async function Invite({ params }: InviteProps) {
  await staticLocale(params);
  const t = await getTranslations('Invite');
  return (
    <Page width="form">
      <PageMessages of={['Account', 'Auth', 'Errors', 'Invite']}>
        <div className="grid gap-6">
          <h1 className="font-bold text-3xl tracking-tight">{t('heading')}</h1>
          <InvitePage />
        </div>
      </PageMessages>
    </Page>
  );
}

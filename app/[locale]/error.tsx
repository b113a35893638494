'use client';

import { useTranslations } from 'next-intl';
import { Page } from '@/components/layout/page';
import { Button } from '@/components/ui/button';
import { CenteredMessage } from '@/components/ui/centered-message';

export default function ErrorPage({ reset }: { error: Error; reset: () => void }) {
  const t = useTranslations('ErrorPage');
  const common = useTranslations('Common');
  return (
    <Page>
      <CenteredMessage heading={t('heading')} text={t('text')}>
        <Button onClick={reset}>{common('retry')}</Button>
      </CenteredMessage>
    </Page>
  );
}

import { useTranslations } from 'next-intl';
import { Page } from '@/components/layout/page';
import { buttonStyle } from '@/components/ui/button';
import { CenteredMessage } from '@/components/ui/centered-message';
import { Link } from '@/i18n/navigation';

export default function NotFound() {
  const t = useTranslations('NotFound');
  const common = useTranslations('Common');
  return (
    <Page>
      <title>{t('heading')}</title>
      <CenteredMessage heading={t('heading')} text={t('text')}>
        <Link href="/" className={buttonStyle()}>
          {common('seeSales')}
        </Link>
      </CenteredMessage>
    </Page>
  );
}

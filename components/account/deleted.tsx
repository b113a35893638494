'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import { buttonStyle } from '@/components/ui/button';
import { CenteredMessage } from '@/components/ui/centered-message';
import { Link } from '@/i18n/navigation';

/** Says that the account is gone. It takes the focus, because the button that was pressed is gone, too. */
export function Deleted() {
  const t = useTranslations('Account');
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} tabIndex={-1} className="outline-none">
      <CenteredMessage heading={t('deleted')} text={t('deletedText')}>
        <Link href="/" className={buttonStyle()} prefetch={false}>
          {t('deletedOn')}
        </Link>
      </CenteredMessage>
    </div>
  );
}

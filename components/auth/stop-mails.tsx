'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { request } from '@/components/api/request';
import { Button, buttonStyle } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { useIsClient } from '@/components/ui/use-is-client';
import { Link } from '@/i18n/navigation';
import { isMailTopic, type MailTopic } from '@/lib/contract/words/mail-topic';

interface StopMailsProps {
  /** What the mails of each topic are about. */
  topics: Record<MailTopic, string>;
}

/**
 * The page behind the link that stops mails of a topic: the token is after the #. Something happens only when the button is
 * pressed: scanners of mail open links.
 */
export function StopMails({ topics }: StopMailsProps) {
  const t = useTranslations('StopMails');
  const isClient = useIsClient();
  const [token] = useState(() => (typeof window === 'undefined' ? '' : window.location.hash.slice(1)));
  const stop = useMutation({
    mutationFn: () => request('POST /api/email/stop-mails', { query: { token } }),
  });
  if (!isClient) return <p className="text-muted">{t('loading')}</p>;
  const [, topic = ''] = token.split('.');
  if (!isMailTopic(topic))
    return (
      <Notice tone="warning" role="alert">
        {t('noLink')}
      </Notice>
    );
  if (stop.data)
    return (
      <div className="grid gap-5">
        <Notice tone="success" role="status">
          {t('done')}
        </Notice>
        <Link href="/account" prefetch={false} className={buttonStyle({ tone: 'primary' })}>
          {t('account')}
        </Link>
      </div>
    );
  return (
    <div className="grid gap-5">
      <p className="text-muted">{t('text', { topic: topics[topic] })}</p>
      <Problem error={stop.error} />
      <Button
        tone="primary"
        className="justify-self-start"
        isBusy={stop.isPending}
        onClick={() => stop.mutate()}
      >
        {t('press')}
      </Button>
    </div>
  );
}

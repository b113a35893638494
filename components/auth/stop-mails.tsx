'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { Button, buttonStyle } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { useHashToken } from '@/components/ui/use-hash-token';
import { Link } from '@/i18n/navigation';
import { isMailTopic, type MailTopic } from '@/lib/contract/words/mail';

/** The page that a mail's link leads to. Opening it stops nothing: scanners of mail open links, too. */
export function StopMails() {
  const t = useTranslations('StopMails');
  const token = useHashToken();
  if (token === null) return <p className="text-muted">{t('loading')}</p>;
  const [, topic = ''] = token.split('.');
  if (isMailTopic(topic)) return <UseLink key={token} token={token} topic={topic} />;
  return (
    <Notice tone="warning" role="alert">
      {t('noLink')}
    </Notice>
  );
}

function UseLink({ token, topic }: { token: string; topic: MailTopic }) {
  const t = useTranslations('StopMails');
  const topics = useTranslations('MailTopics');
  const stop = useMutation({
    mutationFn: () => request('POST /api/email/stop-mails', { query: { token } }),
  });
  if (stop.data)
    return (
      <div className="grid gap-5">
        <Notice tone="success" role="status">
          {t('done')}
        </Notice>
        <Link
          href="/account/language"
          prefetch={false}
          className={buttonStyle({ tone: 'primary', className: 'justify-self-start' })}
        >
          {t('account')}
        </Link>
      </div>
    );
  return (
    <div className="grid gap-5">
      <p className="text-muted">{t('text', { topic: topics(topic) })}</p>
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

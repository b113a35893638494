'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { problemCode } from '@/components/api/api-problem';
import { request } from '@/components/api/request';
import { tellTabs } from '@/components/session/other-tabs';
import { Button, buttonStyle } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { useHashToken } from '@/components/ui/use-hash-token';
import { besidesWait, useWait } from '@/components/ui/use-wait';
import { WaitNotice } from '@/components/ui/wait-notice';
import { Link } from '@/i18n/navigation';

interface EmailChangeProps {
  /** Which of the mails led here: the one to the new address, or one to the old address. */
  link: 'confirm' | 'stop';
}

const CALLS = { confirm: 'POST /api/email/confirm', stop: 'POST /api/email/stop' } as const;
/** The link can't be used; it is broken if it makes the request too large. */
const INVALID = ['EMAIL_CHANGE_INVALID', 'TOO_LARGE'];

/** The page that a mail about a change of address leads to. Opening it uses nothing: scanners of mail open links, too. */
export function EmailChange({ link }: EmailChangeProps) {
  const t = useTranslations('EmailChange');
  const token = useHashToken();
  if (token === null) return <p className="text-muted">{t('loading')}</p>;
  if (token !== '') return <UseLink key={token} link={link} token={token} />;
  return (
    <Notice tone="warning" role="alert">
      {t('noLink')}
    </Notice>
  );
}

function UseLink({ link, token }: EmailChangeProps & { token: string }) {
  const t = useTranslations('EmailChange');
  const auth = useTranslations('Auth');
  const wait = useWait();
  const use = useMutation({
    mutationFn: () => request(CALLS[link], { body: { token } }),
    // Another account may be signed in here now, or the same one by another address.
    onSuccess: () => tellTabs('changed'),
    onError: wait.take,
  });
  if (use.data)
    return (
      <div className="grid gap-5">
        <Notice tone="success" role="status">
          {t(`${link}.done`, { email: use.data.email })}
        </Notice>
        {link === 'confirm' ? <ToAccount /> : null}
      </div>
    );
  const isInvalid = INVALID.includes(problemCode(use.error));
  if (isInvalid || problemCode(use.error) === 'EMAIL_TAKEN')
    return (
      <div className="grid gap-5">
        <Problem error={isInvalid ? 'EMAIL_CHANGE_INVALID' : use.error} />
        <ToAccount />
      </div>
    );
  return (
    <div className="grid gap-5">
      <p className="text-muted">{t(`${link}.text`)}</p>
      <Problem error={besidesWait(use.error)} />
      <WaitNotice wait={wait} words={(time) => auth('wait', { time })} />
      <Button
        tone={link === 'stop' ? 'danger' : 'primary'}
        className="justify-self-start"
        isBusy={use.isPending}
        disabled={wait.leftMs > 0}
        onClick={() => use.mutate()}
      >
        {t(`${link}.press`)}
      </Button>
    </div>
  );
}

function ToAccount() {
  const t = useTranslations('EmailChange');
  return (
    <Link
      href="/account"
      prefetch={false}
      className={buttonStyle({ tone: 'primary', className: 'justify-self-start' })}
    >
      {t('account')}
    </Link>
  );
}

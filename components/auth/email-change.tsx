'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { problemCode } from '@/components/api/api-problem';
import { request } from '@/components/api/request';
import { Button, buttonStyle } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { useIsClient } from '@/components/ui/use-is-client';
import { besidesWait, useWait } from '@/components/ui/use-wait';
import { WaitNotice } from '@/components/ui/wait-notice';
import { Link } from '@/i18n/navigation';

interface EmailChangeProps {
  /** Which of the two mails led here: the one to the new address, or to the old one. */
  link: 'confirm' | 'stop';
}

/**
 * The page behind the links in the mails about a change of address: the token is after the #. Something happens only when
 * the button is pressed: scanners of mail open links.
 */
export function EmailChange({ link }: EmailChangeProps) {
  const t = useTranslations('EmailChange');
  const isClient = useIsClient();
  const [token] = useState(() => (typeof window === 'undefined' ? '' : window.location.hash.slice(1)));
  if (!isClient) return <p className="text-muted">{t('loading')}</p>;
  if (token !== '') return <Press link={link} token={token} />;
  return (
    <Notice tone="warning" role="alert">
      {t('noLink')}
    </Notice>
  );
}

const CALLS = { confirm: 'POST /api/email/confirm', stop: 'POST /api/email/stop' } as const;

function Press({ link, token }: EmailChangeProps & { token: string }) {
  const t = useTranslations('EmailChange');
  const auth = useTranslations('Auth');
  const client = useQueryClient();
  const wait = useWait();
  const press = useMutation({
    mutationFn: () => request(CALLS[link], { body: { token } }),
    // Who is signed in, and under which address, may have changed.
    onSuccess: () => client.invalidateQueries(),
    onError: wait.take,
  });
  if (press.data)
    return (
      <div className="grid gap-5">
        <Notice tone="success" role="status">
          {t(`${link}.done`, { email: press.data.email })}
        </Notice>
        <Link href="/signin" prefetch={false} className={buttonStyle({ tone: 'primary' })}>
          {t('signIn')}
        </Link>
      </div>
    );
  const isOver = problemCode(press.error) === 'EMAIL_CHANGE_INVALID';
  return (
    <div className="grid gap-5">
      <p className="text-muted">{t(`${link}.text`)}</p>
      <Problem error={besidesWait(press.error)} />
      <WaitNotice wait={wait} words={(time) => auth('wait', { time })} />
      {isOver ? null : (
        <Button
          tone={link === 'stop' ? 'danger' : 'primary'}
          className="justify-self-start"
          isBusy={press.isPending}
          disabled={wait.leftMs > 0}
          onClick={() => press.mutate()}
        >
          {t(`${link}.press`)}
        </Button>
      )}
    </div>
  );
}

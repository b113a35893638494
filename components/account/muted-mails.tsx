'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { Said } from '@/components/ui/said';
import { useLocalDate } from '@/components/ui/use-local-date';
import { MAIL_TOPICS, type MailTopic } from '@/lib/contract/words/mail';

const KEY = ['muted-mails'];

/** Sets which mails the visitor gets. */
export function MutedMails() {
  const t = useTranslations('Account');
  const topics = useTranslations('MailTopics');
  const localDate = useLocalDate();
  const client = useQueryClient();
  const { data, error } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => request('GET /api/account/mails', { signal }),
  });
  const choose = useMutation({
    mutationFn: (muted: MailTopic[]) => request('POST /api/account/mails', { body: { muted } }),
    onSuccess: (chosen) => client.setQueryData(KEY, chosen),
  });
  const muted = choose.isPending ? choose.variables : data?.muted;
  const set = (topic: MailTopic, isWanted: boolean) =>
    choose.mutate(MAIL_TOPICS.filter((each) => (each === topic ? !isWanted : muted?.includes(each))));
  return (
    <section aria-labelledby="mails" className="grid gap-5">
      <h2 id="mails" className="font-semibold text-xl">
        {t('mails')}
      </h2>
      <p className="text-muted">{t('mailsText')}</p>
      {data && data.mailRefusedAt !== null ? (
        <Notice tone="warning">{t('mailsRefused', { time: localDate(data.mailRefusedAt, 'short') })}</Notice>
      ) : null}
      <Said>{choose.isSuccess ? <Notice tone="success">{t('mailsChosen')}</Notice> : null}</Said>
      <Problem error={error ?? choose.error} />
      {muted ? (
        <fieldset className="grid gap-1.5">
          <legend className="font-medium">{t('mailsWhich')}</legend>
          {MAIL_TOPICS.map((topic) => (
            <label key={topic} className="flex min-h-11 items-center gap-3">
              <input
                type="checkbox"
                className="size-5 shrink-0"
                checked={!muted.includes(topic)}
                disabled={choose.isPending}
                onChange={({ target }) => set(topic, target.checked)}
              />
              {topics(topic)}
            </label>
          ))}
        </fieldset>
      ) : null}
    </section>
  );
}

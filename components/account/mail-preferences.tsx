'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { SelectField } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { LANGUAGES, routing } from '@/i18n/routing';
import type { Preferences } from '@/lib/contract/shapes/preferences';
import { MAIL_TOPICS, type MailTopic } from '@/lib/contract/words/mail-topic';

const KEY = ['preferences'];

/** Lets the visitor choose how the shop tells them: language and time zone of the mails, and which of them. */
export function MailPreferences() {
  const t = useTranslations('Account.mails');
  const common = useTranslations('Common');
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => request('GET /api/account/preferences', { signal }),
  });
  return (
    <section aria-labelledby="mails" className="grid gap-5">
      <h2 id="mails" className="font-semibold text-xl">
        {t('heading')}
      </h2>
      <p className="text-muted">{t('text')}</p>
      <Problem error={error} />
      {data ? (
        <PreferencesForm before={data} />
      ) : error ? (
        <Button className="justify-self-start" onClick={() => void refetch()}>
          {common('retry')}
        </Button>
      ) : (
        <p className="text-muted">{common('loading')}</p>
      )}
    </section>
  );
}

function PreferencesForm({ before }: { before: Preferences }) {
  const t = useTranslations('Account.mails');
  const client = useQueryClient();
  const [wanted, setWanted] = useState(before);
  const save = useMutation({
    mutationFn: (body: Preferences) => request('PATCH /api/account/preferences', { body }),
    onSuccess: (now) => {
      setWanted(now);
      client.setQueryData(KEY, now);
    },
  });
  const set = (change: Partial<Preferences>) => setWanted((old) => ({ ...old, ...change }));
  const mute = (topic: MailTopic, isMuted: boolean) =>
    set({
      mutedMails: isMuted
        ? [...wanted.mutedMails, topic].sort()
        : wanted.mutedMails.filter((other) => other !== topic),
    });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(wanted);
  };
  return (
    <form method="post" noValidate onSubmit={onSubmit} className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label={t('language')}
          value={wanted.locale}
          onChange={({ target }) => set({ locale: target.value as Preferences['locale'] })}
        >
          {routing.locales.map((locale) => (
            <option key={locale} value={locale} lang={locale}>
              {LANGUAGES[locale]}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t('timeZone')}
          hint={t('timeZoneHint', { zone: ownZone() })}
          value={wanted.timeZone ?? ''}
          onChange={({ target }) => set({ timeZone: target.value || null })}
        >
          {/* The server may know zones that this browser does not. */}
          {[
            '',
            ...new Set([
              ...Intl.supportedValuesOf('timeZone'),
              ...(before.timeZone ? [before.timeZone] : []),
            ]),
          ].map((zone) => (
            <option key={zone} value={zone}>
              {zone || 'UTC'}
            </option>
          ))}
        </SelectField>
      </div>
      <fieldset className="grid gap-2">
        <legend className="font-medium">{t('which')}</legend>
        <p className="text-muted text-sm">{t('always')}</p>
        {MAIL_TOPICS.map((topic) => (
          <label key={topic} className="flex min-h-11 items-center gap-3">
            <input
              type="checkbox"
              className="size-5 shrink-0"
              checked={!wanted.mutedMails.includes(topic)}
              onChange={({ target }) => mute(topic, !target.checked)}
            />
            {t(`topics.${topic}`)}
          </label>
        ))}
      </fieldset>
      {/* The element exists before its text does: otherwise screen readers would not announce the text. */}
      <div role="status" className="-mt-4 not-empty:mt-0">
        {save.isSuccess && isSame(wanted, before) ? <Notice tone="success">{t('saved')}</Notice> : null}
      </div>
      <Problem error={save.error} />
      <Button
        type="submit"
        className="justify-self-start"
        isBusy={save.isPending}
        disabled={isSame(wanted, before)}
      >
        {t('save')}
      </Button>
    </form>
  );
}

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

const isSame = (some: Preferences, other: Preferences) => JSON.stringify(some) === JSON.stringify(other);

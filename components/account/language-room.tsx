'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'next-intl';
import type { FormEvent } from 'react';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { SelectField } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { Said } from '@/components/ui/said';
import { useIsClient } from '@/components/ui/use-is-client';
import { useLocalDate } from '@/components/ui/use-local-date';
import { getPathname, usePathname } from '@/i18n/navigation';
import { LANGUAGE_NAMES, type Locale, routing } from '@/i18n/routing';
import { AccountRoom } from './account-room';
import { MutedMails } from './muted-mails';

/** The room for the language of pages and mails, the time zone, and which mails come. */
export function LanguageRoom() {
  return (
    <AccountRoom room="language">
      {() => (
        <>
          <Card className="p-5 sm:p-6">
            <Language />
          </Card>
          <Card className="p-5 sm:p-6">
            <TimeZone />
          </Card>
          <Card className="p-5 sm:p-6">
            <MutedMails />
          </Card>
        </>
      )}
    </AccountRoom>
  );
}

/** Sets the language of the visitor's mails, and shows this page in it. */
function Language() {
  const t = useTranslations('Account');
  const current = useLocale();
  const pathname = usePathname();
  const choose = useMutation({
    mutationFn: (language: Locale) => request('POST /api/account/language', { body: { language } }),
    // A whole load, because the document's language changes.
    onSuccess: ({ language }) => {
      if (language !== current) window.location.assign(getPathname({ href: pathname, locale: language }));
    },
  });
  return (
    <section aria-labelledby="language" className="grid gap-5">
      <h2 id="language" className="font-semibold text-xl">
        {t('language')}
      </h2>
      <p className="text-muted">{t('languageText')}</p>
      <Said>
        {choose.data?.language === current ? <Notice tone="success">{t('languageChosen')}</Notice> : null}
      </Said>
      <Problem error={choose.error} />
      <div className="flex flex-wrap gap-3">
        {routing.locales.map((locale) => (
          <Button
            key={locale}
            lang={locale}
            tone={locale === current ? 'primary' : undefined}
            aria-current={locale === current ? 'true' : undefined}
            isBusy={choose.isPending && choose.variables === locale}
            onClick={() => choose.mutate(locale)}
          >
            {LANGUAGE_NAMES[locale]}
          </Button>
        ))}
      </div>
    </section>
  );
}

/** Says in which time zone pages tell times, and sets that of the visitor's mails. */
function TimeZone() {
  const t = useTranslations('Account');
  const isClient = useIsClient();
  const localDate = useLocalDate();
  const here = isClient ? Intl.DateTimeFormat().resolvedOptions().timeZone : null;
  return (
    <section aria-labelledby="zone" className="grid gap-5">
      <h2 id="zone" className="font-semibold text-xl">
        {t('zone')}
      </h2>
      {here ? (
        <>
          <p>{t('zoneText', { zone: here, time: localDate(Date.now()) })}</p>
          <MailZone here={here} />
        </>
      ) : null}
    </section>
  );
}

const ZONE_KEY = ['time-zone'];

/** @param here the time zone of this device */
function MailZone({ here }: { here: string }) {
  const t = useTranslations('Account');
  const client = useQueryClient();
  const { data, error } = useQuery({
    queryKey: ZONE_KEY,
    queryFn: ({ signal }) => request('GET /api/account/time-zone', { signal }),
  });
  const choose = useMutation({
    mutationFn: (timeZone: string | null) => request('POST /api/account/time-zone', { body: { timeZone } }),
    onSuccess: (chosen) => client.setQueryData(ZONE_KEY, chosen),
  });
  if (!data) return <Problem error={error} />;
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const chosen = String(new FormData(event.currentTarget).get('timeZone'));
    choose.mutate(chosen === UTC ? null : chosen);
  };
  return (
    <form method="post" noValidate onSubmit={onSubmit} className="grid gap-5">
      <Said>{choose.isSuccess ? <Notice tone="success">{t('zoneChosen')}</Notice> : null}</Said>
      <Problem error={choose.error} />
      <SelectField label={t('zoneMails')} name="timeZone" defaultValue={data.timeZone ?? UTC}>
        {zonesWith([UTC, here, data.timeZone]).map((zone) => (
          <option key={zone} value={zone}>
            {zone}
          </option>
        ))}
      </SelectField>
      <Button type="submit" className="justify-self-start" isBusy={choose.isPending}>
        {t('zoneChoose')}
      </Button>
    </form>
  );
}

const UTC = 'UTC';

/** Returns all time zones this browser knows, and these. */
const zonesWith = (more: readonly (string | null)[]): string[] =>
  [...new Set([...more, ...Intl.supportedValuesOf('timeZone')])].filter((zone) => zone !== null);

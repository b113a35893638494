'use client';

import { useQuery } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { TextAreaField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import { Link } from '@/i18n/navigation';
import { LANGUAGES, type Locale, routing } from '@/i18n/routing';
import type { SiteText } from '@/lib/contract/shapes/site-page';
import { MAX_SITE_TEXT_LENGTH, SITE_PAGES, type SitePage } from '@/lib/contract/words/site-page';
import { adminPage, PageFrame } from '../kit/admin-page';
import { ChoiceField } from '../kit/choice-field';
import { useAction } from '../kit/use-action';

/** Writes the pages to which the footer links, each in every language. */
function SitePages() {
  const t = useTranslations('AdminPages');
  const common = useTranslations('Common');
  const names = useTranslations('SitePages');
  const [page, setPage] = useState<SitePage>('terms');
  const [locale, setLocale] = useState<Locale>(useLocale());
  /** What is typed and not saved yet, by page and language. */
  const [drafts, setDrafts] = useState<Record<string, string | undefined>>({});
  const { data, error, refetch } = useQuery({
    queryKey: ['site-texts', page],
    queryFn: ({ signal }) => request('GET /api/admin/pages/{page}', { params: { page }, signal }),
  });
  const place = `${page}/${locale}`;
  const keep = (draft: string | undefined) => setDrafts((all) => ({ ...all, [place]: draft }));
  const text = data?.texts.find((one) => one.locale === locale);
  return (
    <PageFrame words="AdminPages">
      <Card className="grid gap-5 p-5">
        <div className="flex flex-wrap gap-3">
          <ChoiceField
            label={t('page')}
            value={page}
            choices={SITE_PAGES}
            nameOf={(name) => names(name)}
            onChoose={setPage}
          />
          <ChoiceField
            label={t('language')}
            value={locale}
            choices={routing.locales}
            nameOf={(name) => LANGUAGES[name]}
            onChoose={setLocale}
          />
        </div>
        <Problem error={error} />
        {text ? (
          <TextForm
            key={place}
            page={page}
            text={text}
            draft={drafts[place]}
            onDraft={keep}
            onChange={() => refetch()}
          />
        ) : error ? null : (
          <p className="text-muted">{common('loading')}</p>
        )}
        {data?.texts.some((one) => one.text !== '') ? (
          <Link
            href={`/info/${page}`}
            locale={locale}
            prefetch={false}
            className="inline-flex min-h-11 items-center justify-self-start underline underline-offset-4"
          >
            {t('see')}
          </Link>
        ) : null}
      </Card>
    </PageFrame>
  );
}

interface TextFormProps {
  page: SitePage;
  /** As it is shown to everybody. */
  text: SiteText;
  draft: string | undefined;
  onDraft: (draft: string | undefined) => void;
  onChange: () => Promise<unknown>;
}

function TextForm({ page, text: { locale, text, version }, draft, onDraft, onChange }: TextFormProps) {
  const t = useTranslations('AdminPages');
  const names = useTranslations('SitePages');
  const value = draft ?? text;
  const save = useAction('PUT /api/admin/pages/{page}', {
    says: ({ text: now }) => ({ text: t(now === '' ? 'takenBack' : 'saved', { page: names(page) }) }),
    refresh: async () => {
      await onChange();
    },
    onDone: () => onDraft(undefined),
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ params: { page }, body: { locale, text: value, version } });
  };
  return (
    <form method="post" noValidate onSubmit={onSubmit} className="grid gap-4">
      <TextAreaField
        label={t('text')}
        hint={t('hint', { count: value.length, most: MAX_SITE_TEXT_LENGTH })}
        lang={locale}
        rows={18}
        maxLength={MAX_SITE_TEXT_LENGTH}
        value={value}
        onChange={({ target }) => onDraft(target.value)}
      />
      <Problem error={save.error} />
      <Button
        type="submit"
        tone="primary"
        className="justify-self-start"
        isBusy={save.isPending}
        disabled={value === text}
      >
        {t('save')}
      </Button>
    </form>
  );
}

export const SitePagesPage = adminPage(SitePages, 'manageSite', 'AdminPages');

'use client';

import { useQuery } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';
import { request } from '@/components/api/request';
import { Card } from '@/components/ui/card';
import { Problem } from '@/components/ui/problem';
import { LANGUAGES, type Locale, routing } from '@/i18n/routing';
import type { MailExample } from '@/lib/contract/shapes/mail';
import { MAIL_KINDS, type MailKind } from '@/lib/contract/words/mail';
import { adminPage, PageFrame } from '../kit/admin-page';
import { ChoiceField } from '../kit/choice-field';

/** Shows every mail of the shop as it is sent. */
function Mails() {
  const t = useTranslations('AdminMails');
  const common = useTranslations('Common');
  const [kind, setKind] = useState<MailKind>('order_paid');
  const [locale, setLocale] = useState<Locale>(useLocale());
  const { data, error } = useQuery({
    queryKey: ['mail-example', kind, locale],
    queryFn: ({ signal }) =>
      request('GET /api/admin/mails/{kind}', { params: { kind }, query: { locale }, signal }),
    // The page keeps its height while another mail is on its way.
    placeholderData: (before) => before,
  });
  return (
    <PageFrame words="AdminMails">
      <Card className="grid gap-5 p-5">
        <div className="flex flex-wrap gap-3">
          <ChoiceField
            label={t('mail')}
            value={kind}
            choices={MAIL_KINDS}
            nameOf={(name) => t(`kinds.${name}`)}
            onChoose={setKind}
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
        {data ? <Example mail={data} /> : error ? null : <p className="text-muted">{common('loading')}</p>}
      </Card>
    </PageFrame>
  );
}

function Example({ mail: { locale, subject, text, html } }: { mail: MailExample }) {
  const t = useTranslations('AdminMails');
  return (
    <dl className="grid gap-5" lang={locale}>
      <div className="grid gap-1">
        <dt className="text-muted text-sm">{t('subject')}</dt>
        <dd className="font-semibold [overflow-wrap:anywhere]">{subject}</dd>
      </div>
      <div className="grid gap-1">
        <dt className="text-muted text-sm">{t('html')}</dt>
        <dd>
          {/* Without scripts, forms and a way out: what a mail program allows. */}
          <iframe
            title={t('html')}
            sandbox=""
            srcDoc={html}
            className="h-[34rem] w-full rounded-lg border border-line"
          />
        </dd>
      </div>
      <div className="grid gap-1">
        <dt className="text-muted text-sm">{t('text')}</dt>
        <dd>
          <pre className="whitespace-pre-wrap rounded-lg bg-sunken p-4 text-sm [overflow-wrap:anywhere]">
            {text}
          </pre>
        </dd>
      </div>
    </dl>
  );
}

export const MailsPage = adminPage(Mails, 'manageSite', 'AdminMails');

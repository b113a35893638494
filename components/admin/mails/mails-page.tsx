'use client';

import { useQuery } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';
import { request } from '@/components/api/request';
import { Card } from '@/components/ui/card';
import { Problem } from '@/components/ui/problem';
import { LANGUAGE_NAMES, type Locale, routing } from '@/i18n/routing';
import type { MailExample } from '@/lib/contract/shapes/mail';
import { MAIL_KINDS, type MailKind } from '@/lib/contract/words/mail';
import { adminPage, PageFrame } from '../kit/admin-page';
import { ChoiceField } from '../kit/choice-field';

/** Shows every mail of the shop as it is sent. */
function Mails() {
  const t = useTranslations('AdminMails');
  const common = useTranslations('Common');
  const [kind, setKind] = useState<MailKind>('order_paid');
  const [language, setLanguage] = useState<Locale>(useLocale());
  const { data, error } = useQuery({
    queryKey: ['mail-examples', language],
    queryFn: ({ signal }) => request('GET /api/admin/mails', { query: { language }, signal }),
    // The page keeps its height while the mails of another language are on their way.
    placeholderData: (before) => before,
  });
  const mail = data?.mails.find((one) => one.kind === kind);
  return (
    <PageFrame words="AdminMails">
      <Problem error={error} />
      {data || error ? null : <p className="text-muted">{common('loading')}</p>}
      {data && mail ? (
        <Card className="grid gap-5 p-5 sm:p-6">
          <div className="grid gap-4 sm:grid-cols-2">
            <ChoiceField
              label={t('mail')}
              value={kind}
              choices={MAIL_KINDS}
              nameOf={(name) => data.mails.find((one) => one.kind === name)?.subject ?? name}
              onChoose={setKind}
            />
            <ChoiceField
              label={t('language')}
              value={language}
              choices={routing.locales}
              nameOf={(name) => LANGUAGE_NAMES[name]}
              onChoose={setLanguage}
            />
          </div>
          <Example mail={mail} />
        </Card>
      ) : null}
    </PageFrame>
  );
}

function Example({ mail: { language, subject, text, html } }: { mail: MailExample }) {
  const t = useTranslations('AdminMails');
  return (
    <dl className="grid gap-5">
      <div className="grid gap-1">
        <dt className="text-muted text-sm">{t('subject')}</dt>
        <dd lang={language} className="font-semibold wrap-anywhere">
          {subject}
        </dd>
      </div>
      <div className="grid gap-1">
        <dt className="text-muted text-sm">{t('html')}</dt>
        <dd>
          {/* No scripts, no forms and no way out, as in a mail program. */}
          <iframe
            key={html}
            title={t('html')}
            sandbox=""
            srcDoc={html}
            className="h-[36rem] w-full rounded-lg border border-line"
          />
        </dd>
      </div>
      <div className="grid gap-1">
        <dt className="text-muted text-sm">{t('text')}</dt>
        <dd>
          <pre lang={language} className="whitespace-pre-wrap rounded-lg bg-sunken p-4 text-sm wrap-anywhere">
            {text}
          </pre>
        </dd>
      </div>
    </dl>
  );
}

export const MailsPage = adminPage(Mails, 'setUp', 'AdminMails');

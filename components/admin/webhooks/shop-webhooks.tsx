'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { problemCode } from '@/components/api/api-problem';
import { request } from '@/components/api/request';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { MAX_WEBHOOKS } from '@/lib/contract/words/webhook';
import { AddWebhookForm } from './add-webhook-form';
import { WebhookCard } from './webhook-card';

const REFUSALS = new Set(['FORBIDDEN', 'SHOP_NOT_FOUND']);

/** Shows the webhooks of one shop, and a new secret for as long as the page stays. */
export function ShopWebhooks({ shopId }: { shopId: string }) {
  const t = useTranslations('AdminWebhooks');
  const common = useTranslations('Common');
  const client = useQueryClient();
  const [shown, setShown] = useState<{ url: string; secret: string }>();
  const queryKey = ['webhooks', shopId];
  const { data, error } = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      request('GET /api/admin/shops/{shopId}/webhooks', { params: { shopId }, signal }),
    retry: (count, problem) => !REFUSALS.has(problemCode(problem) ?? '') && count < 3,
  });
  const refresh = () => client.invalidateQueries({ queryKey });
  if (!data) return error ? <Problem error={error} /> : <p className="text-muted">{common('loading')}</p>;
  return (
    <div className="grid gap-8">
      {shown ? (
        <Notice tone="success" role="status">
          <p>{t('secretText', { url: shown.url })}</p>
          <p className="select-all break-all font-medium font-mono">{shown.secret}</p>
        </Notice>
      ) : null}
      <section aria-label={t('list')} className="grid gap-4">
        <h2 className="font-semibold text-lg">{t('list')}</h2>
        {data.webhooks.length === 0 ? <p className="text-muted">{t('empty')}</p> : null}
        <ul className="grid gap-4">
          {data.webhooks.map((webhook) => (
            <li key={webhook.webhookId}>
              <WebhookCard shopId={shopId} webhook={webhook} onSecret={setShown} onChange={refresh} />
            </li>
          ))}
        </ul>
      </section>
      {data.webhooks.length < MAX_WEBHOOKS ? (
        <AddWebhookForm shopId={shopId} onSecret={setShown} onChange={refresh} />
      ) : (
        <p className="text-muted">{t('full', { count: MAX_WEBHOOKS })}</p>
      )}
    </div>
  );
}

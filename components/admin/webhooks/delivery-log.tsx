'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { request } from '@/components/api/request';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { Problem } from '@/components/ui/problem';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { WebhookDeliveryView, WebhookView } from '@/lib/contract/shapes/webhook';
import { DELIVERY_STATUSES, type DeliveryStatus } from '@/lib/contract/words/webhook';
import { ActionButton } from '../kit/action-button';
import { ChoiceField } from '../kit/choice-field';
import { Paged } from '../kit/paged';
import { useAction } from '../kit/use-action';
import { useKindWords } from './use-kind-words';

/** Begins the keys of everything about deliveries. */
export const DELIVERIES = 'webhook-deliveries';

const EVERY_MS = 5_000;
const TONES: Record<DeliveryStatus, BadgeTone> = { waiting: 'warning', sent: 'success', failed: 'danger' };

interface DeliveryLogProps {
  shopId: string;
  webhook: WebhookView;
  onChange: () => Promise<void>;
}

/** Lists the deliveries of a webhook. Each can be sent again. */
export function DeliveryLog({ shopId, webhook, onChange }: DeliveryLogProps) {
  const t = useTranslations('AdminWebhooks');
  const [status, setStatus] = useState<DeliveryStatus | ''>('');
  const { webhookId } = webhook;
  const query = useInfiniteQuery({
    queryKey: [DELIVERIES, webhookId, status],
    queryFn: ({ pageParam: cursor, signal }) =>
      request('GET /api/admin/shops/{shopId}/webhooks/{webhookId}/deliveries', {
        params: { shopId, webhookId },
        query: { status: status || undefined, cursor: cursor ?? undefined },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: (previous) => previous,
    refetchInterval: EVERY_MS,
  });
  const deliveries = query.data?.pages.flatMap((page) => page.deliveries) ?? [];
  const refresh = async () => {
    await Promise.all([query.refetch(), onChange()]);
  };
  return (
    <section aria-label={t('log')} className="grid gap-3">
      <h3 className="font-semibold">{t('log')}</h3>
      <div className="max-w-xs">
        <ChoiceField
          label={t('show')}
          value={status}
          choices={['', ...DELIVERY_STATUSES]}
          nameOf={(name) => (name ? t(`status.${name}`) : t('all'))}
          onChoose={setStatus}
        />
      </div>
      <Paged query={query} isEmpty={deliveries.length === 0} empty={t('noDeliveries')}>
        <ul className="divide-y divide-line">
          {deliveries.map((delivery) => (
            <li key={delivery.deliveryId} className="py-3">
              <Delivery
                delivery={delivery}
                params={{ shopId, webhookId, deliveryId: delivery.deliveryId }}
                mayReplay={webhook.disabledAt === null}
                onChange={refresh}
              />
            </li>
          ))}
        </ul>
      </Paged>
    </section>
  );
}

interface DeliveryProps {
  delivery: WebhookDeliveryView;
  params: { shopId: string; webhookId: string; deliveryId: string };
  mayReplay: boolean;
  onChange: () => Promise<void>;
}

function Delivery({ delivery, params, mayReplay, onChange }: DeliveryProps) {
  const t = useTranslations('AdminWebhooks');
  const words = useKindWords();
  const localDate = useLocalDate();
  const { kind, status, attempts, createdAt, nextAt, lastStatus, lastError, eventId, body } = delivery;
  const replay = useAction(
    'POST /api/admin/shops/{shopId}/webhooks/{webhookId}/deliveries/{deliveryId}/replay',
    { says: () => ({ text: t('replayed') }), refresh: onChange },
  );
  const answer = lastStatus !== null ? t('answered', { status: String(lastStatus) }) : null;
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-medium">{words(kind)}</span>
          <Badge tone={TONES[status]}>{t(`status.${status}`)}</Badge>
          <span className="text-muted text-sm tabular-nums">{localDate(createdAt, 'short')}</span>
        </p>
        {mayReplay ? (
          <ActionButton
            action={replay}
            aria-label={t('replayWhich', { kind: words(kind), time: localDate(createdAt, 'short') })}
            onPress={() => replay.mutate({ params })}
          >
            {t('replay')}
          </ActionButton>
        ) : null}
      </div>
      <p className="text-muted text-sm tabular-nums">
        {[
          t('attempts', { count: attempts }),
          answer ?? (lastError && lastError !== 'answer' ? t(`error.${lastError}`) : null),
          nextAt !== null && attempts > 0 ? t('next', { time: localDate(nextAt, 'short') }) : null,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <details>
        <summary className="min-h-11 cursor-pointer content-center text-sm">{t('body')}</summary>
        <p className="break-all text-muted text-sm">webhook-id: {eventId}</p>
        <pre className="whitespace-pre-wrap break-all rounded-lg bg-sunken px-3 py-2 font-mono text-sm">
          {body}
        </pre>
      </details>
      <Problem isSmall error={replay.error} />
    </div>
  );
}

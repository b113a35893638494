'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Problem } from '@/components/ui/problem';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { WebhookView } from '@/lib/contract/shapes/webhook';
import { ActionButton } from '../kit/action-button';
import { together, useAction } from '../kit/use-action';
import { DELIVERIES, DeliveryLog } from './delivery-log';
import { KindFields } from './kind-fields';
import { useKindWords } from './use-kind-words';

interface WebhookCardProps {
  shopId: string;
  webhook: WebhookView;
  onSecret: (shown: { url: string; secret: string }) => void;
  onChange: () => Promise<void>;
}

/** Shows a webhook, how it stands, and what can be done with it. */
export function WebhookCard({ shopId, webhook, onSecret, onChange }: WebhookCardProps) {
  const t = useTranslations('AdminWebhooks');
  const client = useQueryClient();
  const detailsId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const { webhookId, url } = webhook;
  const isOn = webhook.disabledAt === null;
  const params = { shopId, webhookId };
  const refresh = async () => {
    await Promise.all([onChange(), client.invalidateQueries({ queryKey: [DELIVERIES, webhookId] })]);
  };
  const edit = useAction('PATCH /api/admin/shops/{shopId}/webhooks/{webhookId}', { refresh });
  const test = useAction('POST /api/admin/shops/{shopId}/webhooks/{webhookId}/test', {
    says: () => ({ text: t('tested') }),
    onDone: () => setIsOpen(true),
    refresh,
  });
  const rotate = useAction('POST /api/admin/shops/{shopId}/webhooks/{webhookId}/rotate', {
    onDone: ({ secret }) => onSecret({ url, secret }),
    refresh,
  });
  const remove = useAction('POST /api/admin/shops/{shopId}/webhooks/{webhookId}/remove', {
    says: () => ({ text: t('removed') }),
    refresh: onChange,
  });
  const all = together(edit, test, rotate, remove);
  return (
    <Card className="grid gap-4 p-5">
      <Standing webhook={webhook} />
      <div className="flex flex-wrap gap-3">
        <Button aria-expanded={isOpen} aria-controls={detailsId} onClick={() => setIsOpen(!isOpen)}>
          {t('details')}
        </Button>
        {isOn ? (
          <ActionButton action={test} disabled={all.isPending} onPress={() => test.mutate({ params })}>
            {t('test')}
          </ActionButton>
        ) : null}
        <ActionButton
          action={edit}
          disabled={all.isPending}
          onPress={() => edit.mutate({ params, body: { enabled: !isOn } })}
        >
          {isOn ? t('turnOff') : t('turnOn')}
        </ActionButton>
        <ActionButton
          action={rotate}
          disabled={all.isPending}
          ask={{ title: t('rotateTitle'), text: t('rotateText'), confirmLabel: t('rotate') }}
          onPress={() => rotate.mutate({ params })}
        >
          {t('rotate')}
        </ActionButton>
        <ActionButton
          action={remove}
          tone="danger"
          disabled={all.isPending}
          ask={{ title: t('removeTitle'), text: t('removeText', { url }), confirmLabel: t('remove') }}
          onPress={() => remove.mutate({ params })}
        >
          {t('remove')}
        </ActionButton>
      </div>
      <Problem error={all.error} />
      <div id={detailsId}>
        {isOpen ? (
          <div className="grid gap-6">
            <KindForm key={webhook.kinds.join()} webhook={webhook} edit={edit} params={params} />
            <DeliveryLog shopId={shopId} webhook={webhook} onChange={onChange} />
          </div>
        ) : null}
      </div>
    </Card>
  );
}

function Standing({ webhook }: { webhook: WebhookView }) {
  const t = useTranslations('AdminWebhooks');
  const words = useKindWords();
  const localDate = useLocalDate();
  const { url, kinds, disabledAt, disabledWhy, failingSince, oldSecretUntil, waiting } = webhook;
  return (
    <div className="grid gap-1">
      <p className="flex flex-wrap items-center gap-3">
        <span className="min-w-0 break-all font-medium">{url}</span>
        {disabledAt === null ? (
          <Badge tone={failingSince === null ? 'success' : 'warning'}>
            {t(failingSince === null ? 'on' : 'failing')}
          </Badge>
        ) : (
          <Badge tone={disabledWhy === 'staff' ? 'neutral' : 'danger'}>{t('off')}</Badge>
        )}
      </p>
      <p className="text-muted text-sm">{kinds.map(words).join(' · ')}</p>
      {disabledAt !== null && disabledWhy !== null ? (
        <p className="text-sm">{t(`why.${disabledWhy}`, { time: localDate(disabledAt, 'short') })}</p>
      ) : null}
      {disabledAt === null && failingSince !== null ? (
        <p className="text-sm">{t('failingText', { time: localDate(failingSince, 'short') })}</p>
      ) : null}
      {oldSecretUntil === null ? null : (
        <p className="text-sm">{t('oldSecret', { time: localDate(oldSecretUntil, 'short') })}</p>
      )}
      {waiting === 0 ? null : <p className="text-sm tabular-nums">{t('waiting', { count: waiting })}</p>}
    </div>
  );
}

interface KindFormProps {
  webhook: WebhookView;
  params: { shopId: string; webhookId: string };
  edit: {
    isPending: boolean;
    mutate: (given: {
      params: { shopId: string; webhookId: string };
      body: { kinds: WebhookView['kinds'] };
    }) => void;
  };
}

function KindForm({ webhook, params, edit }: KindFormProps) {
  const t = useTranslations('AdminWebhooks');
  const [kinds, setKinds] = useState(webhook.kinds);
  return (
    <div className="grid gap-3">
      <KindFields value={kinds} onChange={setKinds} />
      <Button
        className="justify-self-start"
        isBusy={edit.isPending}
        disabled={kinds.length === 0 || kinds.join() === webhook.kinds.join()}
        onClick={() => edit.mutate({ params, body: { kinds } })}
      >
        {t('saveKinds')}
      </Button>
    </div>
  );
}

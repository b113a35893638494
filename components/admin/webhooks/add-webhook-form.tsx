'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import { WEBHOOK_KINDS, type WebhookKind } from '@/lib/contract/words/webhook';
import { isWebhookAddress, MAX_ADDRESS_CHARS } from '@/lib/contract/words/webhook-address';
import { useAction } from '../kit/use-action';
import { KindFields } from './kind-fields';

interface AddWebhookFormProps {
  shopId: string;
  onSecret: (shown: { url: string; secret: string }) => void;
  onChange: () => Promise<void>;
}

/** Adds a webhook, for all kinds unless some are taken off. */
export function AddWebhookForm({ shopId, onSecret, onChange }: AddWebhookFormProps) {
  const t = useTranslations('AdminWebhooks');
  const [url, setUrl] = useState('');
  const [kinds, setKinds] = useState<WebhookKind[]>([...WEBHOOK_KINDS]);
  const add = useAction('POST /api/admin/shops/{shopId}/webhooks', {
    onDone: ({ webhook, secret }) => {
      onSecret({ url: webhook.url, secret });
      setUrl('');
    },
    refresh: onChange,
  });
  const address = url.trim();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate({ params: { shopId }, body: { url: address, kinds } });
  };
  return (
    <Card className="p-5">
      <form method="post" noValidate onSubmit={onSubmit} className="grid gap-4">
        <h2 className="font-semibold text-lg">{t('add')}</h2>
        <TextField
          label={t('address')}
          hint={t('addressHint')}
          type="url"
          inputMode="url"
          value={url}
          maxLength={MAX_ADDRESS_CHARS}
          autoComplete="off"
          onChange={({ target }) => setUrl(target.value)}
        />
        <KindFields value={kinds} onChange={setKinds} />
        <Button
          type="submit"
          tone="primary"
          className="justify-self-start"
          isBusy={add.isPending}
          disabled={!isWebhookAddress(address) || kinds.length === 0}
        >
          {t('addPress')}
        </Button>
        <Problem error={add.error} />
      </form>
    </Card>
  );
}

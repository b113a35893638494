'use client';

import { useTranslations } from 'next-intl';
import { WEBHOOK_KINDS, type WebhookKind } from '@/lib/contract/words/webhook';
import { useKindWords } from './use-kind-words';

interface KindFieldsProps {
  value: readonly WebhookKind[];
  onChange: (value: WebhookKind[]) => void;
}

/** The fields for what a webhook is told. */
export function KindFields({ value, onChange }: KindFieldsProps) {
  const t = useTranslations('AdminWebhooks');
  const words = useKindWords();
  return (
    <fieldset className="grid gap-x-6 sm:grid-cols-2">
      <legend className="font-medium">{t('kinds')}</legend>
      {WEBHOOK_KINDS.map((kind) => (
        <label key={kind} className="flex min-h-11 items-center gap-3">
          <input
            type="checkbox"
            className="size-5 shrink-0"
            checked={value.includes(kind)}
            onChange={({ target }) =>
              onChange(
                WEBHOOK_KINDS.filter((each) => (each === kind ? target.checked : value.includes(each))),
              )
            }
          />
          <span>
            {words(kind)} <code className="text-muted text-sm">{kind}</code>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

'use client';

import { useTranslations } from 'next-intl';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { BreakerView } from '@/lib/contract/shapes/live';

const TONES: Record<BreakerView['state'], BadgeTone> = {
  closed: 'success',
  half_open: 'warning',
  open: 'danger',
};

const KNOWN = [
  'points',
  'notifications',
  'mail',
  'crowd-mail',
  'alert-mail',
  'alert-webhook',
  'log-head',
] as const;
const isKnown = (service: string): service is (typeof KNOWN)[number] =>
  (KNOWN as readonly string[]).includes(service);

/** Shows the state of the services beside the sale. A service that is down makes its messages wait and nothing else. */
export function SideServices({ breakers }: { breakers: BreakerView[] }) {
  const t = useTranslations('Admin');
  const localDate = useLocalDate();
  if (breakers.length === 0) return null;
  return (
    <Card className="grid gap-3 p-5">
      <h2 className="font-semibold text-lg">{t('servicesHeading')}</h2>
      <ul className="grid gap-2">
        {breakers.map(({ service, state, since, lastError }) => (
          <li key={service} className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
            <span className="font-medium">{isKnown(service) ? t(`service.${service}`) : service}</span>
            <Badge tone={TONES[state]}>{t(`breaker.${state}`)}</Badge>
            {state === 'closed' ? null : (
              <span className="text-muted text-sm">
                {t('since', { time: localDate(since, 'time') })}
                {lastError ? ` · ${lastError}` : null}
              </span>
            )}
          </li>
        ))}
      </ul>
      <p className="text-muted text-sm">{t('servicesHelp')}</p>
    </Card>
  );
}

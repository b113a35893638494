'use client';

import { useTranslations } from 'next-intl';
import type { Live } from '@/lib/contract/shapes/live';
import { TopList } from './top-list';

const KNOWN = [
  'SOLD_OUT',
  'LIMIT_REACHED',
  'RATE_LIMITED',
  'BLOCKED',
  'NOT_STARTED',
  'ENDED',
  'PAUSED',
  'ENTRY_INVALID',
  'GATE_INVALID',
  'NOT_RESERVED',
  'DRAW_ONLY',
  'INVALID_QUANTITY',
  'VARIANT_UNKNOWN',
  'IDEMPOTENCY_MISMATCH',
  'MALFORMED',
  'NOT_DECIDED',
  'STOCK_UNAVAILABLE',
] as const;
const isKnown = (code: string): code is (typeof KNOWN)[number] => (KNOWN as readonly string[]).includes(code);

/** Lists why purchases were refused, the most frequent reason first. */
export function RefusalList({ refusals }: Pick<Live, 'refusals'>) {
  const t = useTranslations('AdminLive');
  return (
    <TopList
      heading={t('refusalsHeading')}
      help={t('refusalsHelp')}
      empty={t('noRefusals')}
      items={refusals.map(({ code, count }) => {
        const known = isKnown(code);
        return {
          key: code,
          label: known ? t(`refusal.${code}.label`) : code,
          help: known ? t(`refusal.${code}.help`) : undefined,
          count,
        };
      })}
    />
  );
}

/** Lists the risk rules that hit shoppers in this sale, the most frequent first. */
export function RiskList({ rules }: { rules: Live['riskRules'] }) {
  const t = useTranslations('AdminLive');
  return (
    <TopList
      heading={t('riskHeading')}
      help={t('riskHelp')}
      empty={t('noHits')}
      items={rules.map(({ ruleId, name, hits }) => ({ key: ruleId, label: name, count: hits }))}
    />
  );
}

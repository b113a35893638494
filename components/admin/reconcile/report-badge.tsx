'use client';

import { useTranslations } from 'next-intl';
import { Badge } from '@/components/ui/badge';
import type { ReportSummary } from '@/lib/contract/shapes/reconcile';

/** Shows a report's outcome in a word. */
export function ReportBadge({ report: { ok, found } }: { report: Pick<ReportSummary, 'ok' | 'found'> }) {
  const t = useTranslations('AdminReconcile');
  if (!ok) return <Badge tone="danger">✗ {t('broken')}</Badge>;
  return <Badge tone="success">✓ {found > 0 ? t('putRight') : t('well')}</Badge>;
}

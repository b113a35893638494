'use client';

import { useTranslations } from 'next-intl';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { ReconcileReport, ReportedDifference } from '@/lib/contract/shapes/reconcile';
import {
  DIFFERENCE_KINDS,
  type DifferenceKind,
  type DifferenceOutcome,
} from '@/lib/contract/words/reconcile';
import { ReportBadge } from './report-badge';

const TONES: Record<DifferenceOutcome, BadgeTone> = {
  repaired: 'success',
  open: 'danger',
  reported: 'warning',
};

interface ReportViewProps {
  report: ReconcileReport;
  mayRepair: boolean;
  onRepair: (kind: DifferenceKind) => void;
}

/**
 * Shows what one reconciliation found. It explains each kind of difference, and offers a button to repair it where
 * that is safe.
 */
export function ReportView({ report, mayRepair, onRepair }: ReportViewProps) {
  const t = useTranslations('AdminReconcile');
  const localDate = useLocalDate();
  const { checkedAt, tookMs, cause, inFlight, found, repaired, differences, counts } = report;
  return (
    <Card className="grid gap-4 p-5">
      <div className="grid gap-1">
        <p className="flex flex-wrap items-center gap-3">
          <ReportBadge report={report} />
          <span className="text-muted text-sm tabular-nums">
            {t(`by.${cause}`, { time: localDate(checkedAt, 'short'), took: Math.ceil(tookMs / 1000) })}
          </span>
        </p>
        <p role="status" className="font-medium">
          {t('outcome', { found, repaired })}
        </p>
        <p className="text-muted text-sm">{t('inFlight', { count: inFlight })}</p>
      </div>
      {DIFFERENCE_KINDS.filter((kind) => counts[kind]).map((kind) => (
        <DifferencesOf
          key={kind}
          kind={kind}
          count={counts[kind] ?? 0}
          differences={differences.filter((each) => each.kind === kind)}
          mayRepair={mayRepair}
          onRepair={() => onRepair(kind)}
        />
      ))}
      {found > differences.length ? (
        <p className="text-muted text-sm">{t('more', { count: found - differences.length })}</p>
      ) : null}
    </Card>
  );
}

interface DifferencesOfProps {
  kind: DifferenceKind;
  count: number;
  /** The differences of this kind that the report lists. */
  differences: readonly ReportedDifference[];
  mayRepair: boolean;
  onRepair: () => void;
}

function DifferencesOf({ kind, count, differences, mayRepair, onRepair }: DifferencesOfProps) {
  const t = useTranslations('AdminReconcile');
  const open = differences.filter(({ outcome }) => outcome === 'open').length;
  return (
    <section aria-label={t(`kinds.${kind}.name`)} className="grid gap-3 border-line border-t pt-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="font-semibold">
          {t(`kinds.${kind}.name`)} <span className="text-muted tabular-nums">({count})</span>
        </h3>
        {mayRepair && open > 0 ? (
          <ConfirmDialog
            trigger={
              <Button aria-label={t('repairNamed', { name: t(`kinds.${kind}.name`) })}>{t('repair')}</Button>
            }
            title={t('repairTitle', { count: open })}
            text={t(`kinds.${kind}.repair`, { count: open })}
            confirmLabel={t('repairConfirm')}
            keepLabel={t('leave')}
            onConfirm={onRepair}
          />
        ) : null}
      </div>
      <p className="text-muted">{t(`kinds.${kind}.means`)}</p>
      <ul className="grid gap-2">
        {differences.map(({ orderNo, detail, outcome }) => (
          <li key={`${orderNo} ${detail}`} className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
            <Badge tone={TONES[outcome]}>{t(`outcomes.${outcome}`)}</Badge>
            {orderNo === null ? null : (
              <span className="font-medium tabular-nums">{t('order', { orderNo })}</span>
            )}
            <span className="break-words text-sm">{detail}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

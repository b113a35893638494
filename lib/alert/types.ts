import type { Alert } from '@/prisma/generated/client';
import { ALERT_RULES, type AlertUnit, isAlertRule } from './rules';

export const ALERT_STATES = ['pending', 'firing', 'resolved'] as const;
type AlertState = (typeof ALERT_STATES)[number];

/** An alert as the desk gets it. Times in ms; `value` is the latest, `peak` the highest. */
export type AlertView = {
  id: string;
  rule: string;
  unit: AlertUnit;
  subject: string;
  saleId: string | null;
  state: AlertState;
  value: number;
  peak: number;
  threshold: number;
  since: number;
  firedAt: number | null;
  resolvedAt: number | null;
  acknowledgedAt: number | null;
  acknowledgedBy: string | null;
  note: string | null;
};

export function toView(row: Alert): AlertView {
  const ms = (date: Date | null) => date?.getTime() ?? null;
  return {
    id: String(row.id),
    rule: row.rule,
    // A rule that is no more still has its history.
    unit: isAlertRule(row.rule) ? ALERT_RULES[row.rule].unit : 'count',
    subject: row.subject,
    saleId: row.saleId,
    state: row.state as AlertState,
    value: row.value,
    peak: row.peak,
    threshold: row.threshold,
    since: row.since.getTime(),
    firedAt: ms(row.firedAt),
    resolvedAt: ms(row.resolvedAt),
    acknowledgedAt: ms(row.acknowledgedAt),
    acknowledgedBy: row.acknowledgedBy,
    note: row.note,
  };
}

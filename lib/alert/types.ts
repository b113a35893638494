import type { AdminAlert } from '@/lib/contract/shapes/alert';
import { isAlertRule } from '@/lib/contract/words/alert';
import type { Alert } from '@/prisma/generated/client';
import { ALERT_RULES } from './rules';

/** An alert as stored; the admin area adds the sale's title and the e-mail address of the person who acknowledged it. */
export type AlertView = Omit<AdminAlert, 'saleTitle' | 'acknowledgedByEmail'>;

export function toView(row: Alert): AlertView {
  const ms = (date: Date | null) => date?.getTime() ?? null;
  return {
    id: String(row.id),
    rule: row.rule,
    // A rule that no longer exists still has its history.
    unit: isAlertRule(row.rule) ? ALERT_RULES[row.rule].unit : 'count',
    subject: row.subject,
    saleId: row.saleId,
    state: row.state as AlertView['state'],
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

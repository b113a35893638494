import type { AlertRuleView } from '@/lib/contract/shapes/alert';
import type { AlertRuleId } from '@/lib/contract/words/alert';

/** What is usual for a rule. */
type AlertRuleSpec = Pick<AlertRuleView, 'unit' | 'threshold' | 'forSec' | 'subject'>;

/** The J1 rules. Their thresholds can be changed in the admin area; what each looks at is in lib/admin/alerts/readings-of.ts. */
export const ALERT_RULES = {
  /** Units still held 5 minutes after their deadline. */
  held_not_released: { unit: 'units', threshold: 0, forSec: 0, subject: 'sale' },
  /** Share of a sale's decided orders that ended unpaid; of 20 at least. */
  unpaid_share: { unit: 'percent', threshold: 10, forSec: 30, subject: 'sale' },
  /** By how much a risk rule's hits of the last 10 minutes exceed those of the 10 before; of 10 at least. */
  risk_hits_growth: { unit: 'percent', threshold: 50, forSec: 30, subject: 'rule' },
  outbox_depth: { unit: 'count', threshold: 10_000, forSec: 30, subject: 'sale' },
  outbox_lag: { unit: 'seconds', threshold: 10, forSec: 30, subject: 'sale' },
  message_lag: { unit: 'seconds', threshold: 60, forSec: 30, subject: 'topic' },
  executor_lag: { unit: 'seconds', threshold: 30, forSec: 30, subject: 'none' },
  dead_letters: { unit: 'count', threshold: 0, forSec: 0, subject: 'consumer' },
  /** Payments of the last hour for which a provider named other money than was asked for, or that are not ours. */
  payment_mismatch: { unit: 'count', threshold: 0, forSec: 0, subject: 'sale' },
  /** From accepted purchase to order, mean of the last minute. */
  processing_delay: { unit: 'seconds', threshold: 10, forSec: 30, subject: 'none' },
  /** Answers 5xx of the last minute; of 50 requests at least. */
  error_rate: { unit: 'percent', threshold: 5, forSec: 30, subject: 'none' },
  /** Mean of the last minute's tries by kind of lock; of 5 at least. */
  lock_wait: { unit: 'ms', threshold: 200, forSec: 30, subject: 'lock' },
  /** Holds longer than 8 s, now or begun within the last minute. */
  lock_hold: { unit: 'count', threshold: 0, forSec: 0, subject: 'lock' },
  /** Wrong passwords of the last minute, in the whole shop. */
  sign_in_failures: { unit: 'count', threshold: 100, forSec: 30, subject: 'none' },
  /** Accounts that came under attack within the last minute: twenty wrong passwords within an hour. */
  accounts_attacked: { unit: 'count', threshold: 0, forSec: 0, subject: 'none' },
  /** Processes that lack what they need themselves, such as order numbers: they answer nobody. */
  process_not_ready: { unit: 'count', threshold: 0, forSec: 15, subject: 'none' },
  store_down: { unit: 'count', threshold: 0, forSec: 15, subject: 'store' },
} as const satisfies Record<AlertRuleId, AlertRuleSpec>;

/** What an evaluation found of one subject. */
export type Reading = { rule: AlertRuleId; subject: string; saleId: string | null; value: number };

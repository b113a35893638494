import type { AlertRuleView } from '@/lib/contract/shapes/alert';
import type { AlertRuleId } from '@/lib/contract/words/alert';

/** The default values of a rule. */
type AlertRuleSpec = Pick<AlertRuleView, 'unit' | 'threshold' | 'forSec' | 'subject'>;

/**
 * The J1 rules. The admin area can change their thresholds; lib/alert/admin/readings-of.ts says what each one looks
 * at.
 */
export const ALERT_RULES = {
  /** Units still held 5 minutes after their deadline. */
  held_not_released: { unit: 'units', threshold: 0, forSec: 0, subject: 'sale' },
  /** Share of a sale's decided orders that ended unpaid; judged from 20 orders on. */
  unpaid_share: { unit: 'percent', threshold: 10, forSec: 30, subject: 'sale' },
  /** By how much a risk rule's hits of the last 10 minutes exceed those of the 10 before; judged from 10 hits on. */
  risk_hits_growth: { unit: 'percent', threshold: 50, forSec: 30, subject: 'rule' },
  outbox_depth: { unit: 'count', threshold: 10_000, forSec: 30, subject: 'sale' },
  outbox_lag: { unit: 'seconds', threshold: 10, forSec: 30, subject: 'sale' },
  /** Slices of a split sale without a unit for sale, while others have some and buyers are told to ask again. */
  slice_dry: { unit: 'count', threshold: 0, forSec: 30, subject: 'sale' },
  message_lag: { unit: 'seconds', threshold: 60, forSec: 30, subject: 'topic' },
  executor_lag: { unit: 'seconds', threshold: 30, forSec: 30, subject: 'none' },
  dead_letters: { unit: 'count', threshold: 0, forSec: 0, subject: 'consumer' },
  /** Payments of the last hour for which a provider reported a different amount than asked for, or that are not ours. */
  payment_mismatch: { unit: 'count', threshold: 0, forSec: 0, subject: 'sale' },
  /** Time from accepted purchase to order, mean of the last minute. */
  processing_delay: { unit: 'seconds', threshold: 10, forSec: 30, subject: 'none' },
  /** Share of 5xx answers in the last minute; judged from 50 requests on. */
  error_rate: { unit: 'percent', threshold: 5, forSec: 30, subject: 'none' },
  /** Mean wait of the last minute's tries by kind of lock; judged from 5 tries on. */
  lock_wait: { unit: 'ms', threshold: 200, forSec: 30, subject: 'lock' },
  /** Locks held longer than 8 s, now or begun within the last minute. */
  lock_hold: { unit: 'count', threshold: 0, forSec: 0, subject: 'lock' },
  /** How long the oldest decision of a sale has waited for a signed head. */
  log_heads_late: { unit: 'seconds', threshold: 10, forSec: 15, subject: 'sale' },
  /** Wrong passwords in the last minute, in the whole shop. */
  sign_in_failures: { unit: 'count', threshold: 100, forSec: 30, subject: 'none' },
  /** Accounts that came under attack within the last minute: twenty wrong passwords within an hour. */
  accounts_attacked: { unit: 'count', threshold: 0, forSec: 0, subject: 'none' },
  /** Processes that lack something they need, such as order numbers: they answer no requests. */
  process_not_ready: { unit: 'count', threshold: 0, forSec: 15, subject: 'none' },
  /** Processes in which a side feature is off, switched by somebody or by load. */
  side_feature_off: { unit: 'count', threshold: 0, forSec: 15, subject: 'feature' },
  store_down: { unit: 'count', threshold: 0, forSec: 15, subject: 'store' },
  /** A server of Redis that does not answer: a primary, a replica, a Sentinel. */
  redis_node_down: { unit: 'count', threshold: 0, forSec: 15, subject: 'server' },
  /** Share of its memory that a server of Redis uses: full, it refuses purchases. */
  redis_memory: { unit: 'percent', threshold: 80, forSec: 30, subject: 'server' },
  /** Slots of a cluster whose primary does not answer: their sales stand still. */
  redis_slots_lost: { unit: 'count', threshold: 0, forSec: 0, subject: 'store' },
  /** Replicas that took over within the last 10 minutes. */
  redis_failover: { unit: 'count', threshold: 0, forSec: 0, subject: 'store' },
  /** Age of the state that a replica of Redis has. */
  redis_replica_lag: { unit: 'seconds', threshold: 10, forSec: 30, subject: 'server' },
  /** Purchases of the last minute that too few replicas had in time (`STOCK_REPLICAS_ACK`). */
  replica_acks_missing: { unit: 'count', threshold: 0, forSec: 0, subject: 'none' },
  database_replica_down: { unit: 'count', threshold: 0, forSec: 15, subject: 'server' },
  /** Age of the state that a replica of Postgres has. */
  database_replica_lag: { unit: 'seconds', threshold: 30, forSec: 30, subject: 'server' },
  /** Statements of all processes that wait for a connection to Postgres, or to its pooler. */
  database_connections: { unit: 'count', threshold: 20, forSec: 30, subject: 'none' },
  /** Weeks without a partition for marks, among the next eight: all from the first one that lacks it. */
  mark_weeks: { unit: 'count', threshold: 4, forSec: 0, subject: 'none' },
} as const satisfies Record<AlertRuleId, AlertRuleSpec>;

/** The value that an evaluation found for one subject. */
export type Reading = { rule: AlertRuleId; subject: string; saleId: string | null; value: number };

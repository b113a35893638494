type Kind = 'counter' | 'gauge' | 'histogram';

/**
 * Every metric at `/metrics`. Dashboards and rules under `deploy/` may use no other name (a test compares). Metrics
 * about a sale, a topic and the like are the same on every worker; those labelled `process` belong to one process.
 */
export const METRICS = {
  seckill_store_up: { type: 'gauge', help: 'Whether Redis and Postgres answer the worker: 1 or 0.' },
  seckill_redis_node_up: {
    type: 'gauge',
    help: 'Whether a server of Redis answers the worker, by address and role: 1 or 0.',
  },
  seckill_redis_replica_lag_seconds: { type: 'gauge', help: 'Age of the state that a replica of Redis has.' },
  seckill_redis_replica_behind_bytes: {
    type: 'gauge',
    help: 'Bytes of the log of replication that it lacks.',
  },
  seckill_redis_memory_ratio: {
    type: 'gauge',
    help: 'Share of the memory in use of a server of Redis that refuses writes once it is full.',
  },
  seckill_redis_slots_covered: { type: 'gauge', help: 'Slots of a cluster whose primary answers, of 16384.' },
  seckill_redis_failovers_total: {
    type: 'counter',
    help: 'Replicas of Redis that took over, as this worker saw it.',
  },
  seckill_replica_acks_total: {
    type: 'counter',
    help: 'Purchases that waited for replicas of Redis, by whether enough had them in time.',
  },
  seckill_postgres_replica_up: {
    type: 'gauge',
    help: 'Whether a replica of Postgres answers the worker: 1 or 0.',
  },
  seckill_postgres_replica_lag_seconds: {
    type: 'gauge',
    help: 'Age of the state that a replica of Postgres has.',
  },
  seckill_stale_reads_total: {
    type: 'counter',
    help: 'Reads that may be a moment old, by who answered: a replica, or the primary and why.',
  },
  seckill_pooler_up: {
    type: 'gauge',
    help: 'Whether the pooler answers while the server behind it does: 1 or 0; none: there is no pooler.',
  },
  seckill_database_connections: {
    type: 'gauge',
    help: 'Connections of a process to Postgres, busy and idle, and statements waiting for one.',
  },
  seckill_process_ready: {
    type: 'gauge',
    help: 'Whether a process has what it needs itself, such as order numbers, by need: 1 or 0.',
  },
  seckill_stock_units: { type: 'gauge', help: 'Units of an open sale by tier; -1 is unlimited.' },
  seckill_slice_units: { type: 'gauge', help: 'Units of an open split sale by slice and tier.' },
  seckill_slice_units_moved_total: {
    type: 'counter',
    help: 'Units that a process moved to a slice from others.',
  },
  seckill_slice_last_move_seconds: { type: 'gauge', help: 'When it last did, since 1970.' },
  seckill_slice_searches_failed_total: {
    type: 'counter',
    help: 'Searches for units of other slices that found neither some nor that there are none.',
  },
  seckill_attempts_total: { type: 'counter', help: 'Purchase attempts of an open sale by outcome.' },
  seckill_undecided_purchases: {
    type: 'gauge',
    help: 'Purchases that wait in the queue of a sale for their decision.',
  },
  seckill_undecided_age_seconds: { type: 'gauge', help: 'Age of the oldest of them.' },
  seckill_outbox_depth: { type: 'gauge', help: 'Accepted purchases that are not orders yet.' },
  seckill_outbox_lag_seconds: { type: 'gauge', help: 'Age of the oldest of them.' },
  seckill_reservations: { type: 'gauge', help: 'Reservations that stand in an open sale.' },
  seckill_orders: { type: 'gauge', help: 'Orders of an open sale by status.' },
  seckill_unpaid_ratio: {
    type: 'gauge',
    help: 'Share of the decided orders of an open sale that ended unpaid.',
  },
  seckill_held_overdue_units: {
    type: 'gauge',
    help: 'Units still held 5 minutes after their deadline, by sale.',
  },
  seckill_messages_due: { type: 'gauge', help: 'Outgoing messages that are due, by topic.' },
  seckill_messages_lag_seconds: { type: 'gauge', help: 'How long the oldest of them has been due.' },
  seckill_dead_letters: { type: 'gauge', help: 'Dead letters nobody has dealt with, by consumer.' },
  seckill_misfit_payments: {
    type: 'gauge',
    help: 'Payments of the last hour whose money did not fit, by sale; none: they are not ours.',
  },
  seckill_log_lag_seconds: {
    type: 'gauge',
    help: 'How long the oldest decision of a sale has waited for a signed head.',
  },
  seckill_executor_due: { type: 'gauge', help: 'Steps the embedded executor should be running.' },
  seckill_executor_lag_seconds: { type: 'gauge', help: 'How long the oldest of them has been due.' },
  seckill_executor_sleeping: { type: 'gauge', help: 'Steps of the embedded executor that are due later.' },
  seckill_breaker_open: { type: 'gauge', help: 'Whether a side service is left alone: 1 or 0.' },
  seckill_risk_hits_recent: { type: 'gauge', help: 'Hits of a risk rule in the last 10 minutes.' },
  seckill_risk_hits_before: { type: 'gauge', help: 'Hits of a risk rule in the 10 minutes before those.' },
  seckill_mark_partitions_ahead: {
    type: 'gauge',
    help: 'Weeks in a row from the next one on that have a partition for marks, at most 8.',
  },
  seckill_alerts: { type: 'gauge', help: 'Alerts that stand, by rule and state.' },
  seckill_http_requests_total: { type: 'counter', help: 'Requests answered, by class of route and status.' },
  seckill_http_duration_seconds: { type: 'histogram', help: 'From a complete request to its answer.' },
  seckill_orders_written_total: { type: 'counter', help: 'Orders written to Postgres.' },
  seckill_processing_delay_seconds: { type: 'histogram', help: 'From an accepted purchase to its order.' },
  seckill_lock_tries_total: { type: 'counter', help: 'Tries to get a lock, by kind and outcome.' },
  seckill_lock_contended_total: { type: 'counter', help: 'Tries that met somebody else.' },
  seckill_lock_lost_total: { type: 'counter', help: 'Locks lost while held.' },
  seckill_lock_long_holds_total: { type: 'counter', help: 'Holds longer than 8 s.' },
  seckill_lock_wait_seconds: { type: 'histogram', help: 'Time spent trying to get a lock.' },
  seckill_lock_hold_seconds: { type: 'histogram', help: 'Time a lock was held.' },
  seckill_sign_ins_total: { type: 'counter', help: 'Tries to sign in, by how they ended.' },
  seckill_accounts_attacked_total: { type: 'counter', help: 'Accounts that came under attack.' },
  seckill_side_feature_on: { type: 'gauge', help: 'Whether a side feature is on in a process: 1 or 0.' },
  seckill_busy_ratio: { type: 'gauge', help: 'How busy the busiest web process is, as a process knows.' },
  seckill_event_loop_delay_seconds: { type: 'gauge', help: 'Event-loop delay of the last 5 s by quantile.' },
  seckill_process_resident_bytes: { type: 'gauge', help: 'Memory of a process.' },
  seckill_process_cpu_seconds_total: { type: 'counter', help: 'Processor time of a process.' },
  seckill_process_start_seconds: { type: 'gauge', help: 'When a process started, since 1970.' },
} as const satisfies Record<string, { type: Kind; help: string }>;

export type MetricName = keyof typeof METRICS;

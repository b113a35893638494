/** Topics whose messages go to the executor; the event of the same name carries up to 100 messages. */
export const RELAYED_TOPICS = [
  'orders/paid',
  /** Orders written in one transaction with their purchase: they still need the timer for their payment. */
  'orders/placed',
  /** Money that came after its order had ended, or that a merchant refunds. */
  'payments/late',
] as const;

/** Topics that have a consumer of their own in the worker. Each message goes to one consumer, so none waits for another. */
const CONSUMED_TOPICS = ['points', 'in-app', 'mail', 'alert-mail', 'alert-webhook', 'log-head'] as const;
export type ConsumedTopic = (typeof CONSUMED_TOPICS)[number];

/** Topics whose messages a job of the worker takes, so many that mails about money are not held up. */
const PACED_TOPICS = [
  /** Orders written in one statement. Their shoppers are told unless they pay within a minute. */
  'orders/received',
] as const;

export const TOPICS = [...RELAYED_TOPICS, ...CONSUMED_TOPICS, ...PACED_TOPICS] as const;
export type Topic = (typeof TOPICS)[number];

/** The states of a run in the embedded executor. */
export const RUN_STATES = ['running', 'sleeping', 'retrying', 'failed'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** The reason for the suggested number of workers. */
export const WORKER_REASONS = [
  /** Nothing waits for long. */
  'keeping_up',
  /** No worker is alive. */
  'none',
  /** The backlog lags, and how fast workers take it is not known yet. */
  'measuring',
  /** The backlog lags and nothing is taken: the executor or Postgres is the problem, more workers would not help. */
  'stuck',
  /** The backlog lags, and more workers would catch up. */
  'behind',
] as const;

/** The copies of the data that must follow changes. */
export const COPY_KINDS = ['cache', 'cdn'] as const;
export type CopyKind = (typeof COPY_KINDS)[number];

/** Topics that go to the executor; the event of the same name carries up to 100 messages. */
export const RELAYED_TOPICS = [
  'orders/paid',
  /** Orders written in one transaction with their purchase: they need their timer. */
  'orders/placed',
  /** Money that came after its order had ended, or that a merchant sends back. */
  'payments/late',
] as const;

/** Topics with a consumer of their own in the worker. One message per consumer: none waits for another. */
const CONSUMED_TOPICS = ['points', 'in-app', 'mail', 'alert-mail', 'alert-webhook'] as const;
export type ConsumedTopic = (typeof CONSUMED_TOPICS)[number];

export const TOPICS = [...RELAYED_TOPICS, ...CONSUMED_TOPICS] as const;
export type Topic = (typeof TOPICS)[number];

/** What the embedded executor does with a run, or could not do. */
export const RUN_STATES = ['running', 'sleeping', 'retrying', 'failed'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** Why so many workers are suggested. */
export const WORKER_REASONS = [
  /** Nothing waits for long. */
  'keeping_up',
  /** No worker is alive. */
  'none',
  /** It lags, and how fast it is taken is not known yet. */
  'measuring',
  /** It lags and nothing is taken: the executor or Postgres is what is missing, not workers. */
  'stuck',
  /** It lags, and more workers would catch up. */
  'behind',
] as const;

/** Copies of the data that are told of changes. */
export const COPY_KINDS = ['cache', 'cdn'] as const;
export type CopyKind = (typeof COPY_KINDS)[number];

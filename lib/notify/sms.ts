import type { Notice } from './types';

/**
 * How notices would go out by text message. The shop has no provider. To add one, implement this, give it a topic and
 * a consumer beside `mail`, and give users a telephone number.
 */
export type SmsSender = {
  /** Sends one message. `notice.key` is the idempotency key. @throws if it has to be tried again. */
  send(telephone: string, notice: Notice): Promise<void>;
};

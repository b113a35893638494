import type { Notice } from './types';

/**
 * How notices would go out by text message. There is no provider in the shop: who has one implements this, gives it a
 * topic and a consumer beside `mail`, and a telephone number to the user.
 */
export type SmsSender = {
  /** Sends one message. `notice.key` is the idempotency key. @throws if it has to be tried again. */
  send(telephone: string, notice: Notice): Promise<void>;
};

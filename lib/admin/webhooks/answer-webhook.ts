import 'server-only';
import type { ErrorCode } from '@/lib/errors/codes';
import { problem } from '@/lib/http/problem';

const CODES = {
  no_shop: 'SHOP_NOT_FOUND',
  no_webhook: 'WEBHOOK_NOT_FOUND',
  no_delivery: 'DELIVERY_NOT_FOUND',
  full: 'WEBHOOKS_FULL',
  refused: 'WEBHOOK_ADDRESS_REFUSED',
  off: 'WEBHOOK_OFF',
  tests_wait: 'WEBHOOK_TESTS_WAIT',
} as const satisfies Record<string, ErrorCode>;

/** Makes the refusal that a result stands for, and leaves what is none as it is. */
export const orRefusal = <T extends object | null>(result: T | keyof typeof CODES): T | Response =>
  typeof result === 'string' ? problem(CODES[result]) : result;

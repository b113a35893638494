import pino from 'pino';
import { mask } from './mask';
import { currentRequestId } from './request-id';

const output = pino.destination({ fd: 1, sync: true });

/**
 * Structured log of this process; one line of JSON per entry on standard output, without secrets and addresses. Fields
 * have the same name everywhere: `requestId`, `orderNo` or `orderNos`, `saleId`, `paymentId`.
 */
export const log = pino(
  {
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: () => {
      const requestId = currentRequestId();
      return requestId === undefined ? {} : { requestId };
    },
  },
  { write: (line: string) => void output.write(mask(line)) },
);

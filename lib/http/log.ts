import pino from 'pino';
import { mask } from './mask';
import { currentRequestId } from './request-id';

/** Kept while nothing can be written; then lines are lost, and the process goes on. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

const output = pino.destination({ fd: 1, sync: true, maxLength: MAX_BUFFERED_BYTES });
// A full disk, most likely. What is buffered is written as soon as there is room.
output.on('error', () => {});

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

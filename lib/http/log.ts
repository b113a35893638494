import pino from 'pino';
import { mask } from './mask';
import { currentRequestId } from './request-id';

/** How much is kept while nothing can be written. Beyond that, lines are lost and the process goes on. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

const output = pino.destination({ fd: 1, sync: true, maxLength: MAX_BUFFERED_BYTES });
// Most likely the disk is full. The buffered lines are written as soon as there is room.
output.on('error', () => {});

/**
 * Structured log of this process: one line of JSON per entry on standard output, without secrets and addresses.
 * Fields have the same name everywhere: `requestId`, `orderNo` or `orderNos`, `saleId` or `saleIds`, `paymentId`.
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

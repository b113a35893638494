import 'server-only';
import type { Inngest } from 'inngest';
import { confirmPaidFunction } from './confirm-paid';
import { createOrdersFunction } from './create-orders';
import { releaseUnpaidFunction } from './release-unpaid';
import { returnMoneyFunction } from './return-money';
import { setTimersFunction } from './set-timers';
import { sweepFunction } from './sweep';

/** Every function the executor may call. The list is the same on Inngest Cloud and on the embedded executor. */
export const allFunctions = (inngest: Inngest) => [
  createOrdersFunction(inngest),
  releaseUnpaidFunction(inngest),
  confirmPaidFunction(inngest),
  returnMoneyFunction(inngest),
  setTimersFunction(inngest),
  sweepFunction(inngest),
];

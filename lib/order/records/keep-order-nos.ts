import 'server-only';
import { isOutage } from '@/lib/errors/is-outage';
import { declareNeed } from '@/lib/health/process-needs';
import { log } from '@/lib/http/log';
import { beWaryOfLostLeases, hasOrderNos, leaseOrderNos, releaseOrderNos } from './issue-order-no';
import { NoWorkerFreeError } from './lease-worker';

const RETRY_MS = 1_000;
let timer: NodeJS.Timeout | undefined;

/**
 * Keeps order numbers available for as long as the process lives: leases them before the first shopper needs one, and
 * tries again every second while it has none. Until then the process is not ready, and logs once why.
 * @returns when the first try is over, whether it succeeded or not.
 */
export async function keepOrderNos(): Promise<void> {
  declareNeed('orderNumbers', hasOrderNos);
  beWaryOfLostLeases();
  let isLacking = false;
  const attempt = async () => {
    if (hasOrderNos()) return;
    try {
      await leaseOrderNos();
      if (isLacking) log.info('order numbers were leased again');
      isLacking = false;
    } catch (err) {
      // Other checks already report that Redis is away.
      if (isOutage(err) && !(err instanceof NoWorkerFreeError)) return;
      if (!isLacking) log.error({ err }, 'this process can issue no order numbers');
      isLacking = true;
    }
  };
  await attempt();
  timer = setInterval(() => void attempt(), RETRY_MS).unref();
}

/** Gives the numbers back, and takes no others. Before `closeRedis`. */
export function giveUpOrderNos(): Promise<void> {
  clearInterval(timer);
  return releaseOrderNos();
}

import 'server-only';
import { keys } from '@/lib/redis/keys';
import { replyNumber, unknownReply } from '@/lib/redis/parse-reply';
import { isStockId } from './check-ids';
import { runStockScript } from './run-stock-script';

const SCRIPT = 'probe-1';

type ProbeResult =
  | { status: 'loaded'; epoch: number; ageMs: number }
  | { status: 'moved'; epoch: number }
  | { status: 'unknown_sale' };

/**
 * Tells whether Redis holds a sale, and whether the server that answers loaded it itself. `moved`: a restart or
 * failover happened since the loading, so the server may have come back with an older copy. `ageMs`: how long ago the
 * sale was loaded.
 * @throws connection errors.
 */
export async function probeStock(stockId: string): Promise<ProbeResult> {
  if (!isStockId(stockId)) return { status: 'unknown_sale' };
  const reply = await runStockScript(SCRIPT, [keys.sale(stockId)], []);
  switch (reply[0]) {
    case 'loaded':
      return {
        status: 'loaded',
        epoch: replyNumber(SCRIPT, reply, 1),
        ageMs: replyNumber(SCRIPT, reply, 2),
      };
    case 'moved':
      return { status: 'moved', epoch: replyNumber(SCRIPT, reply, 1) };
    case 'unknown_sale':
      return { status: 'unknown_sale' };
    default:
      throw unknownReply(SCRIPT, reply);
  }
}

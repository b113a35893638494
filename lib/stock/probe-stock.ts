import 'server-only';
import { keys } from '@/lib/redis/keys';
import { isStockId } from './check-ids';
import { replyNumber, runStockScript, unknownReply } from './run-stock-script';

const SCRIPT = 'probe-1';

type ProbeResult =
  | { status: 'loaded'; epoch: number; ageMs: number }
  | { status: 'moved'; epoch: number }
  | { status: 'unknown_sale' };

/**
 * Tells whether Redis holds a sale, and whether the server that answers loaded it itself. `moved`: a restart or
 * failover happened since the loading, so the server may have come back with an older copy. `ageMs`: how long ago the
 * sale was loaded.
 * @param saleId may name one slice of a split sale. @throws connection errors.
 */
export async function probeStock(saleId: string): Promise<ProbeResult> {
  if (!isStockId(saleId)) return { status: 'unknown_sale' };
  const reply = await runStockScript(SCRIPT, [keys.sale(saleId)], []);
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

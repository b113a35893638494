import 'server-only';
import { type Actor, mayManage } from '@/lib/actor/actor';
import { recordAction } from '@/lib/audit/record-action';
import type { RehearsalView } from '@/lib/contract/shapes/rehearsal';
import type { SaleStatus } from '@/lib/contract/words/sale';
import { type SaleStrategy, STRATEGIES } from '@/lib/contract/words/sale';
import { transaction } from '@/lib/db/transaction';
import { newId } from '@/lib/ids/new-id';
import { type RehearsalRow, toView } from './list-rehearsals';

type RequestResult =
  | { status: 'requested' | 'already_requested'; rehearsal: RehearsalView }
  | { status: 'not_found' }
  /** The sale has started or is over: a rehearsal could teach nothing more, and would slow the real sale down. */
  | { status: 'wrong_state'; is: SaleStatus | 'started' }
  /** Only purchases that the script decides are rehearsed. */
  | { status: 'unsupported'; strategy: string };

/**
 * Has a worker rehearse a sale that has not started. If a rehearsal is already queued or running, returns that one.
 * @param shoppers how many shoppers to make up
 */
export function requestRehearsal(actor: Actor, saleId: string, shoppers: number): Promise<RequestResult> {
  return transaction(async (tx): Promise<RequestResult> => {
    const sale = await tx.sale.findUnique({ where: { id: saleId } });
    if (!sale || !(await mayManage(actor, sale.merchantId, 'settings', tx))) return { status: 'not_found' };
    if (sale.status === 'closed') return { status: 'wrong_state', is: 'closed' };
    if (sale.status === 'published' && sale.startsAt.getTime() <= Date.now())
      return { status: 'wrong_state', is: 'started' };
    if (!STRATEGIES[sale.strategy as SaleStrategy].canRehearse)
      return { status: 'unsupported', strategy: sale.strategy };
    const id = newId('reh');
    const [made] = await tx.$queryRaw<RehearsalRow[]>`
      INSERT INTO rehearsals (id, sale_id, requested_by, shoppers) VALUES (${id}, ${saleId}, ${actor.userId}, ${shoppers})
      ON CONFLICT (sale_id) WHERE state IN ('queued', 'running') DO NOTHING
      RETURNING id, state, shoppers, progress, report, created_at AS "createdAt", ended_at AS "endedAt"`;
    if (!made) {
      const open = await tx.rehearsal.findFirst({ where: { saleId }, orderBy: { createdAt: 'desc' } });
      if (!open) throw new Error(`${saleId} has a rehearsal and has none`);
      return { status: 'already_requested', rehearsal: toView(open) };
    }
    await recordAction(tx, actor, {
      action: 'sale.rehearse',
      subject: { kind: 'sale', id: saleId },
      before: null,
      after: { rehearsalId: id, shoppers },
    });
    return { status: 'requested', rehearsal: toView(made) };
  });
}

import 'server-only';
import { type Actor, mayManage } from '@/lib/actor/actor';
import { changedFields } from '@/lib/audit/changed-fields';
import { recordAction } from '@/lib/audit/record-action';
import type { LineChange } from '@/lib/contract/shapes/line';
import { transaction } from '@/lib/db/transaction';
import { forgetLine } from '@/lib/line/records/find-line';
import { announceChange } from '@/lib/stock/stock-changes';
import { type AdminLineResult, readAdminLine } from './read-admin-line';

type Settings = { per_minute: number | null; held: boolean; opened: boolean; closed: boolean };
type Row = Settings & { settings_version: number };

const shown = ({ per_minute, held, opened, closed }: Settings) => ({
  perMinute: per_minute,
  held,
  opened,
  closed,
});

/**
 * Steers a waiting room: sets the rate, holds it, opens it fully, closes the way in; each of them is taken back by asking
 * for the opposite. In force at the next step, within half a second. An entry in the audit log tells who did it.
 * @throws connection errors
 */
export async function steerLine(
  actor: Actor,
  saleId: string,
  { version, ...change }: LineChange,
): Promise<AdminLineResult | { status: 'conflict'; version: number }> {
  const refusal = await transaction(async (tx) => {
    const sale = await tx.sale.findUnique({ where: { id: saleId }, select: { merchantId: true } });
    if (!sale || !(await mayManage(actor, sale.merchantId, 'settings', tx))) return null;
    const [row] = await tx.$queryRaw<Row[]>`
      SELECT per_minute, held, opened, closed, settings_version FROM lines
      WHERE sale_id = ${saleId} FOR NO KEY UPDATE`;
    if (!row) return null;
    if (row.settings_version !== version)
      return { status: 'conflict' as const, version: row.settings_version };
    const before = shown(row);
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const after = { ...before, ...given };
    const fields = changedFields(before, after);
    if (!fields) return null;
    await tx.$executeRaw`
      UPDATE lines SET per_minute = ${after.perMinute}, held = ${after.held}, opened = ${after.opened},
                       closed = ${after.closed}, settings_version = settings_version + 1, version = version + 1,
                       updated_at = now()
      WHERE sale_id = ${saleId}`;
    await recordAction(tx, actor, { action: 'line.steer', subject: { kind: 'sale', id: saleId }, ...fields });
    return null;
  });
  if (refusal) return refusal;
  forgetLine(saleId);
  await announceChange(saleId);
  return readAdminLine(actor, saleId);
}

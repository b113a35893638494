import 'server-only';
import type { RehearsalReport } from '@/lib/contract/shapes/rehearsal';
import { db } from '@/lib/db/client';
import { log } from '@/lib/http/log';
import { SALE_PARTS, toSaleInfo } from '@/lib/sale/records/to-sale-info';
import { rehearse } from './rehearse';

/** A rehearsal without progress for this long counts as abandoned by its worker. */
const GONE_AFTER_SEC = 30;
/** After this long, a rehearsal that kills its worker each time is not started again. */
const GIVE_UP_AFTER_SEC = 600;
const TELL_EVERY_MS = 500;

/**
 * Runs the rehearsal that has waited longest, if there is one. Any number of workers may do so side by side. If a
 * worker dies, another one starts its rehearsal again, for up to ten minutes.
 * @returns whether there was one
 */
export async function runNextRehearsal(): Promise<boolean> {
  await giveUp();
  const claimed = await claim();
  if (!claimed) return false;
  const { id, saleId, shoppers } = claimed;
  try {
    const row = await db().sale.findUniqueOrThrow({ where: { id: saleId }, include: SALE_PARTS });
    const report = await rehearse(toSaleInfo(row), { rehearsalId: id, shoppers }, progressTeller(id));
    await end(id, report);
  } catch (err) {
    log.error({ rehearsal: id, saleId, err }, 'rehearsal failed');
    await end(id, null);
  }
  return true;
}

async function giveUp(): Promise<void> {
  await db().$executeRaw`
    UPDATE rehearsals SET state = 'failed', ended_at = now()
    WHERE state = 'running' AND seen_at < now() - make_interval(secs => ${GONE_AFTER_SEC})
      AND created_at < now() - make_interval(secs => ${GIVE_UP_AFTER_SEC})`;
}

async function claim() {
  const rows = await db().$queryRaw<{ id: string; saleId: string; shoppers: number }[]>`
    UPDATE rehearsals SET state = 'running', progress = 0, seen_at = now()
    WHERE id = (SELECT id FROM rehearsals
                WHERE state = 'queued' OR (state = 'running' AND seen_at < now() - make_interval(secs => ${GONE_AFTER_SEC}))
                ORDER BY created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, sale_id AS "saleId", shoppers`;
  return rows[0];
}

/** Returns a function that writes the progress, at most twice a second; the rehearsal does not wait for it. */
function progressTeller(id: string): (share: number) => void {
  let toldAt = 0;
  return (share) => {
    if (performance.now() - toldAt < TELL_EVERY_MS) return;
    toldAt = performance.now();
    const progress = Math.min(99, Math.floor(share * 100));
    db()
      .$executeRaw`UPDATE rehearsals SET progress = ${progress}, seen_at = now() WHERE id = ${id} AND state = 'running'`.catch(
      (err: unknown) => log.warn({ rehearsal: id, err }, 'progress could not be noted'),
    );
  };
}

async function end(id: string, report: RehearsalReport | null): Promise<void> {
  await db().$executeRaw`
    UPDATE rehearsals
    SET state = ${report ? 'done' : 'failed'}, progress = 100, ended_at = now(),
        report = ${report ? JSON.stringify(report) : null}::jsonb
    WHERE id = ${id} AND state = 'running'`;
}

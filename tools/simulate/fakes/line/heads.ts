import type { LineRow } from '../../stores/line-rows';
import type { PostgresStore } from '../../stores/postgres';
import type { Transaction } from '../../stores/tables';
import type { Statements } from './statements';

/** Returns the columns that a line's head is read with. */
function headOf(row: LineRow) {
  const { beacon_url, shuffled_at, drawing_until, list_digest, ...shown } = row;
  const { machine_rate, credit, tended_at, version, ...head } = shown;
  return head;
}

/** The statements on the state of lines. @param now epoch ms */
export function headStatements({ lines, sales }: PostgresStore, now: () => number): Statements {
  /** Locks a row, and looks again whether it still fits: another transaction may have changed it meanwhile. */
  const lockIf = async (tx: Transaction, saleId: unknown, fits: (row: LineRow) => boolean) => {
    const seen = lines.get(tx, String(saleId));
    if (!seen || !fits(seen)) return [];
    await tx.lock(lines, String(saleId));
    const row = lines.get(tx, String(saleId));
    return row && fits(row) ? [row] : [];
  };

  return {
    'SELECT ends_at <= clock_timestamp() AS "isOver" FROM sales WHERE id = ?': (tx, [saleId]) => {
      const sale = sales.get(tx, String(saleId));
      return sale ? [{ isOver: sale.endsAt.getTime() <= now() }] : [];
    },

    'SELECT * FROM lines WHERE sale_id = ? FOR UPDATE': (tx, [saleId]) => lockIf(tx, saleId, () => true),

    'SELECT sale_id, seed, seed_hash, nonces_digest, beacon, next_number, early, admitted, lapsed, steps, per_minute, held, closed, opened, pseudonym_key, enlisted_at, clock_timestamp() AS read_at FROM lines WHERE sale_id = ANY (?::text[])':
      (tx, [saleIds]) =>
        lines
          .find(tx, ({ sale_id }) => (saleIds as string[]).includes(sale_id))
          .map((row) => ({ ...headOf(row), read_at: new Date(now()) })),

    'SELECT seed, pseudonym_key FROM lines WHERE sale_id = ? AND early IS NULL FOR UPDATE': async (
      tx,
      [saleId],
    ) =>
      (await lockIf(tx, saleId, ({ early }) => early === null)).map(({ seed, pseudonym_key }) => ({
        seed,
        pseudonym_key,
      })),

    'UPDATE lines SET early = ?, nonces_digest = ?, list_digest = ?, beacon = ?, beacon_url = ?, shuffled_at = clock_timestamp(), updated_at = now() WHERE sale_id = ?':
      async (tx, [early, nonces, list, beacon, url, saleId]) => {
        const change = {
          early: Number(early),
          nonces_digest: nonces as Uint8Array,
          list_digest: list as Uint8Array,
          beacon: beacon as string | null,
          beacon_url: url as string | null,
          shuffled_at: new Date(now()),
        };
        return (await lines.update(tx, String(saleId), () => true, change)) ? 1 : 0;
      },

    "SELECT l.*, s.limit_per_user, s.starts_at, clock_timestamp() AS read_at FROM lines l JOIN sales s ON s.id = l.sale_id WHERE s.admission = 'waiting_room' AND s.status = 'published' AND s.starts_at <= now() AND s.ends_at > now() AND (l.tended_at IS NULL OR l.tended_at < now() - make_interval(secs => ?)) ORDER BY l.tended_at NULLS FIRST LIMIT ?":
      (tx, [restSec, most]) => {
        const isDue = ({ tended_at }: LineRow) =>
          tended_at === null || tended_at.getTime() < now() - Number(restSec) * 1_000;
        return lines
          .find(tx, isDue)
          .flatMap((row) => {
            const sale = sales.get(tx, row.sale_id);
            if (sale?.admission !== 'waiting_room' || sale.status !== 'published') return [];
            if (sale.startsAt.getTime() > now() || sale.endsAt.getTime() <= now()) return [];
            const { limitPerUser: limit_per_user, startsAt: starts_at } = sale;
            return [{ ...row, limit_per_user, starts_at, read_at: new Date(now()) }];
          })
          .sort((a, b) => Number(a.tended_at) - Number(b.tended_at))
          .slice(0, Number(most));
      },

    'UPDATE lines SET admitted = ?, lapsed = ?, steps = ?::jsonb, machine_rate = ?, credit = ?, tended_at = ?, version = version + 1, updated_at = now() WHERE sale_id = ? AND version = ?':
      async (tx, [admitted, lapsed, steps, rate, credit, at, saleId, version]) => {
        const change = (row: LineRow) => ({
          admitted: Number(admitted),
          lapsed: Number(lapsed),
          steps: JSON.parse(String(steps)),
          machine_rate: Number(rate),
          credit: Number(credit),
          tended_at: at as Date,
          version: row.version + 1,
        });
        return (await lines.update(tx, String(saleId), (row) => row.version === version, change)) ? 1 : 0;
      },
  };
}

import { entryKey, type LineEntryRow, type LineRow } from '../../stores/line-rows';
import type { PostgresStore } from '../../stores/postgres';
import type { Transaction } from '../../stores/tables';
import type { Statements } from './statements';

const byPlace = (a: LineEntryRow, b: LineEntryRow) => Number(a.place) - Number(b.place);

/** The statements on draws. @param now epoch ms */
export function drawStatements(store: PostgresStore, now: () => number): Statements {
  const { lines, lineEntries: entries, sales, places, levels } = store;
  const ofSale = (tx: Transaction, saleId: unknown) =>
    entries.find(tx, (row) => row.sale_id === saleId).sort((a, b) => a.number - b.number);
  const isDue = (tx: Transaction) => (row: LineRow) => {
    const sale = sales.get(tx, row.sale_id);
    if (sale?.admission !== 'draw' || sale.status !== 'published' || sale.paused) return false;
    const isFree = row.drawing_until === null || row.drawing_until.getTime() < now();
    return sale.startsAt.getTime() <= now() && row.enlisted_at === null && isFree;
  };
  const update = async (
    tx: Transaction,
    saleId: unknown,
    fits: (row: LineRow) => boolean,
    change: Partial<LineRow>,
  ) => ((await lines.update(tx, String(saleId), fits, change)) ? 1 : 0);
  const inSec = (sec: unknown) => new Date(now() + Number(sec) * 1_000);

  return {
    "UPDATE lines l SET closed = true, drawing_until = now() + make_interval(secs => ?), updated_at = now() FROM sales s WHERE s.id = l.sale_id AND l.sale_id IN ( SELECT d.sale_id FROM lines d JOIN sales o ON o.id = d.sale_id WHERE o.admission = 'draw' AND o.status = 'published' AND NOT o.paused AND o.starts_at <= now() AND d.enlisted_at IS NULL AND (d.drawing_until IS NULL OR d.drawing_until < now()) ORDER BY o.starts_at LIMIT ? FOR UPDATE OF d SKIP LOCKED) RETURNING l.sale_id, s.starts_at, l.shuffled_at IS NOT NULL AS is_drawn":
      async (tx, [sec, most]) => {
        const due = lines.find(tx, isDue(tx)).filter(({ sale_id }) => !lines.cell(sale_id).owner);
        const claimed: unknown[] = [];
        for (const { sale_id } of due.slice(0, Number(most))) {
          const row = await lines.update(tx, sale_id, isDue(tx), { closed: true, drawing_until: inSec(sec) });
          const starts_at = sales.get(tx, sale_id)?.startsAt;
          if (row) claimed.push({ sale_id, starts_at, is_drawn: row.shuffled_at !== null });
        }
        return claimed;
      },

    'UPDATE lines SET drawing_until = now() + make_interval(secs => ?) WHERE sale_id = ? AND enlisted_at IS NULL':
      (tx, [sec, saleId]) =>
        update(tx, saleId, (row) => row.enlisted_at === null, { drawing_until: inSec(sec) }),

    'UPDATE lines SET drawing_until = NULL WHERE sale_id = ?': (tx, [saleId]) =>
      update(tx, saleId, () => true, { drawing_until: null }),

    'UPDATE lines SET enlisted_at = now(), drawing_until = NULL, updated_at = now() WHERE sale_id = ? AND enlisted_at IS NULL AND shuffled_at IS NOT NULL':
      (tx, [saleId]) => {
        const fits = (row: LineRow) => row.enlisted_at === null && row.shuffled_at !== null;
        return update(tx, saleId, fits, { enlisted_at: new Date(now()), drawing_until: null });
      },

    "SELECT e.number, e.nonce, e.user_id, level_of(u.id, u.level, u.level_until) AS level, u.created_at, u.email_verified_at, e.left_at IS NOT NULL AS has_left, u.banned_at IS NOT NULL AS is_banned, EXISTS (SELECT FROM blocks b WHERE b.kind = 'user' AND b.value = e.user_id AND b.lifted_at IS NULL AND (b.expires_at IS NULL OR b.expires_at > now())) AS is_blocked FROM line_entries e JOIN users u ON u.id = e.user_id WHERE e.sale_id = ? AND e.number >= ? ORDER BY e.number LIMIT ?":
      (tx, [saleId, from, most]) =>
        ofSale(tx, saleId)
          .filter(({ number, user_id }) => number >= Number(from) && store.users.has(user_id))
          .slice(0, Number(most))
          .map(({ number, nonce, user_id, left_at }) => ({
            number,
            nonce,
            user_id,
            level: levels.get(user_id) ?? 0,
            created_at: new Date(0),
            email_verified_at: null,
            has_left: left_at !== null,
            // Nobody is banned or blocked here.
            is_banned: false,
            is_blocked: false,
          })),

    'SELECT next_number, shuffled_at IS NOT NULL AS is_drawn, pseudonym_key FROM lines WHERE sale_id = ? FOR NO KEY UPDATE':
      async (tx, [saleId]) => {
        if (!lines.get(tx, String(saleId))) return [];
        await tx.lock(lines, String(saleId));
        const row = lines.get(tx, String(saleId));
        if (!row) return [];
        const { next_number, shuffled_at, pseudonym_key } = row;
        return [{ next_number, is_drawn: shuffled_at !== null, pseudonym_key }];
      },

    "UPDATE line_entries e SET place = d.place, weight = d.weight, passed_over = CASE WHEN e.left_at IS NOT NULL THEN 'left' ELSE d.passed_over END FROM unnest(?::int[], ?::smallint[], ?::text[]) WITH ORDINALITY AS d (place, weight, passed_over, nth) WHERE e.sale_id = ? AND e.number = ?::int + d.nth::int - 1":
      async (tx, [drawn, weights, passed, saleId, from]) => {
        let written = 0;
        for (const [nth, place] of (drawn as number[]).entries()) {
          const key = entryKey({ sale_id: String(saleId), number: Number(from) + nth });
          const change = ({ left_at }: LineEntryRow) => ({
            place,
            weight: (weights as number[])[nth] as number,
            passed_over: left_at !== null ? 'left' : ((passed as (string | null)[])[nth] ?? null),
          });
          if (await entries.update(tx, key, () => true, change)) written += 1;
        }
        return written;
      },

    'UPDATE lines SET early = next_number, nonces_digest = ?, beacon = ?, list_digest = ?, beacon_url = ?, shuffled_at = clock_timestamp(), version = version + 1, updated_at = now() WHERE sale_id = ?':
      async (tx, [nonces, beacon, list, url, saleId]) => {
        const change = ({ next_number, version }: LineRow) => ({
          early: next_number,
          nonces_digest: nonces as Uint8Array,
          beacon: beacon as string | null,
          list_digest: list as Uint8Array,
          beacon_url: url as string | null,
          shuffled_at: new Date(now()),
          version: version + 1,
        });
        return (await lines.update(tx, String(saleId), () => true, change)) ? 1 : 0;
      },

    'SELECT place, number, user_id AS "userId", order_no::text AS "orderNo" FROM line_entries WHERE sale_id = ? AND place > ? AND passed_over IS NULL ORDER BY place LIMIT ?':
      (tx, [saleId, after, most]) =>
        ofSale(tx, saleId)
          .filter(({ place, passed_over }) => place !== null && place > Number(after) && passed_over === null)
          .sort(byPlace)
          .slice(0, Number(most))
          .map(({ place, number, user_id, order_no }) => ({
            place,
            number,
            userId: user_id,
            orderNo: order_no,
          })),

    'UPDATE line_entries e SET order_no = coalesce(e.order_no, o.order_no) FROM unnest(?::int[], ?::text[]::bigint[]) AS o (number, order_no) WHERE e.sale_id = ? AND e.number = o.number RETURNING e.number, e.order_no::text AS "orderNo"':
      async (tx, [numbers, orderNos, saleId]) => {
        const fixed: unknown[] = [];
        for (const [nth, number] of (numbers as number[]).entries()) {
          const key = entryKey({ sale_id: String(saleId), number });
          const order_no = (orderNos as string[])[nth] as string;
          const change = (row: LineEntryRow) => ({ order_no: row.order_no ?? order_no });
          const row = await entries.update(tx, key, () => true, change);
          if (row) fixed.push({ number, orderNo: row.order_no });
        }
        return fixed;
      },

    'SELECT order_no::text AS "orderNo" FROM waitlist_entries WHERE sale_id = ? AND order_no = ANY (?::text[]::bigint[]) AND (left_at IS NOT NULL OR passed_at IS NOT NULL)':
      (tx, [saleId, orderNos]) =>
        places
          .find(tx, (row) => row.saleId === saleId && (orderNos as string[]).includes(row.orderNo))
          .filter(({ leftAt, passedAt }) => leftAt !== null || passedAt !== null)
          .map(({ orderNo }) => ({ orderNo })),

    'SELECT o.sale_id, o.user_id, max(o.id)::text AS id FROM unnest(?::smallint[], ?::text[], ?::text[]) AS a (shard, sale_id, user_id) JOIN orders o ON o.shard = a.shard AND o.user_id = a.user_id AND o.sale_id = a.sale_id GROUP BY o.sale_id, o.user_id':
      (tx, [shards, saleIds, users]) =>
        (users as string[]).flatMap((user_id, nth) => {
          const sale_id = (saleIds as string[])[nth] as string;
          const shard = (shards as number[])[nth];
          const own = store.orders
            .find(tx, (row) => row.shard === shard && row.userId === user_id && row.saleId === sale_id)
            .map(({ orderNo }) => BigInt(orderNo))
            .sort((a, b) => (a < b ? -1 : 1));
          const id = own.at(-1);
          return id === undefined ? [] : [{ sale_id, user_id, id: String(id) }];
        }),
  };
}

import { entryKey, type LineEntryRow } from '../../stores/line-rows';
import type { PostgresStore } from '../../stores/postgres';
import { sqlError, type Transaction } from '../../stores/tables';
import type { Statements } from './statements';

const byNumber = (a: LineEntryRow, b: LineEntryRow) => a.number - b.number;
const pairs = (values: readonly unknown[]): [string, unknown][] =>
  (values[0] as string[]).map((saleId, at) => [saleId, (values[1] as unknown[])[at]]);

/** The statements on places in lines. @param now epoch ms */
export function entryStatements(store: PostgresStore, now: () => number): Statements {
  const { lines, lineEntries: entries, sales, orders } = store;
  const ofSale = (tx: Transaction, saleId: unknown) =>
    entries.find(tx, (row) => row.sale_id === saleId).sort(byNumber);
  const isIn = (numbers: unknown) => (row: LineEntryRow) => (numbers as number[]).includes(row.number);

  return {
    "WITH clock AS MATERIALIZED (SELECT date_trunc('milliseconds', clock_timestamp()) AS now) SELECT clock.now, clock.now < s.starts_at AS is_before, e.user_id, e.number, e.joined_at, e.entered_at, e.place, e.weight, e.passed_over FROM sales s CROSS JOIN clock LEFT JOIN line_entries e ON e.sale_id = s.id AND e.left_at IS NULL AND e.user_id = ANY (?::text[]) WHERE s.id = ?":
      (tx, [users, saleId]) => {
        const sale = sales.get(tx, String(saleId));
        if (!sale) return [];
        const clock = { now: new Date(now()), is_before: now() < sale.startsAt.getTime() };
        const known = ofSale(tx, saleId).filter(
          (row) => row.left_at === null && (users as string[]).includes(row.user_id),
        );
        const none = {
          user_id: null,
          number: null,
          joined_at: null,
          entered_at: null,
          place: null,
          weight: null,
          passed_over: null,
        };
        return (known.length > 0 ? known : [none]).map((row) => {
          const { user_id, number, joined_at, entered_at, place, weight, passed_over } = row;
          return { ...clock, user_id, number, joined_at, entered_at, place, weight, passed_over };
        });
      },

    'UPDATE line_entries SET left_at = now() WHERE sale_id = ? AND number = ANY (?::int[]) AND left_at IS NULL AND user_id = ANY (?::text[])':
      async (tx, [saleId, numbers, users]) => {
        let left = 0;
        for (const row of ofSale(tx, saleId).filter(isIn(numbers))) {
          const fits = (each: LineEntryRow) =>
            each.left_at === null && (users as string[]).includes(each.user_id);
          if (await entries.update(tx, entryKey(row), fits, { left_at: new Date(now()) })) left += 1;
        }
        return left;
      },

    "WITH moved AS ( UPDATE lines SET next_number = next_number + ?, updated_at = now() WHERE sale_id = ? ) INSERT INTO line_entries (sale_id, number, user_id, nonce, weight, device, network, joined_at) SELECT ?, ?::int + at::int - 1, user_id, decode(nonce, 'hex'), weight, device, network, ?::timestamptz FROM unnest(?::text[], ?::text[], ?::smallint[], ?::text[], ?::text[]) WITH ORDINALITY AS j (user_id, nonce, weight, device, network, at) RETURNING user_id, number, joined_at, entered_at":
      async (tx, values) => {
        const [more, lineOf, saleId, next, at, users, nonces, weights, devices, networks] = values;
        const moved = (row: { next_number: number }) => ({ next_number: row.next_number + Number(more) });
        await lines.update(tx, String(lineOf), () => true, moved);
        const written: LineEntryRow[] = [];
        for (const [nth, user_id] of (users as string[]).entries()) {
          const row: LineEntryRow = {
            sale_id: String(saleId),
            number: Number(next) + nth,
            user_id,
            nonce: Buffer.from((nonces as string[])[nth] ?? '', 'hex'),
            weight: (weights as number[])[nth] ?? 1,
            device: (devices as (string | null)[])[nth] ?? null,
            network: (networks as (string | null)[])[nth] ?? null,
            joined_at: at as Date,
            entered_at: null,
            left_at: null,
            place: null,
            passed_over: null,
            order_no: null,
          };
          const isTwin = (other: LineEntryRow) =>
            other.sale_id === saleId && other.user_id === user_id && other.left_at === null;
          if (await entries.isTaken(tx, isTwin)) throw sqlError('23505', 'line_entries_live_key');
          if (!(await entries.insert(tx, entryKey(row), row))) throw sqlError('23505', 'line_entries_pkey');
          written.push(row);
        }
        // Postgres checks foreign keys when the statement has done everything else.
        const stranger = written.find(({ user_id }) => !store.users.has(user_id));
        if (stranger) throw sqlError('23503', `line_entries_user_id_fkey: ${stranger.user_id}`);
        return written.map(({ user_id, number, joined_at, entered_at }) => ({
          user_id,
          number,
          joined_at,
          entered_at,
        }));
      },

    'SELECT e.sale_id, e.user_id, e.number, e.joined_at, e.entered_at, e.place, e.weight, e.passed_over FROM unnest(?::text[], ?::text[]) AS a (sale_id, user_id) JOIN line_entries e USING (sale_id, user_id) WHERE e.left_at IS NULL':
      (tx, values) =>
        pairs(values).flatMap(([saleId, userId]) =>
          ofSale(tx, saleId)
            .filter((row) => row.user_id === userId && row.left_at === null)
            .map(({ sale_id, user_id, number, joined_at, entered_at, place, weight, passed_over }) => ({
              sale_id,
              user_id,
              number,
              joined_at,
              entered_at,
              place,
              weight,
              passed_over,
            })),
        ),

    'UPDATE line_entries e SET entered_at = coalesce(e.entered_at, clock_timestamp()) FROM unnest(?::text[], ?::int[]) AS a (sale_id, number) WHERE e.sale_id = a.sale_id AND e.number = a.number AND e.left_at IS NULL RETURNING e.sale_id, e.number, e.entered_at':
      async (tx, values) => {
        const written: Pick<LineEntryRow, 'sale_id' | 'number' | 'entered_at'>[] = [];
        for (const [sale_id, number] of pairs(values)) {
          const key = entryKey({ sale_id, number: Number(number) });
          const row = await entries.update(
            tx,
            key,
            ({ left_at }) => left_at === null,
            ({ entered_at }) => ({ entered_at: entered_at ?? new Date(now()) }),
          );
          if (row) written.push({ sale_id, number: row.number, entered_at: row.entered_at });
        }
        return written;
      },

    'UPDATE line_entries SET left_at = now() WHERE sale_id = ? AND user_id = ? AND left_at IS NULL AND (entered_at IS NULL OR entered_at <= now() - make_interval(secs => ?)) RETURNING left_at':
      async (tx, [saleId, userId, sec]) => {
        const fits = ({ left_at, entered_at }: LineEntryRow) =>
          left_at === null && (entered_at === null || Number(entered_at) <= now() - Number(sec) * 1_000);
        for (const row of ofSale(tx, saleId).filter(({ user_id }) => user_id === userId)) {
          const gone = await entries.update(tx, entryKey(row), fits, { left_at: new Date(now()) });
          if (gone) return [{ left_at: gone.left_at }];
        }
        return [];
      },

    'SELECT entered_at, left_at FROM line_entries WHERE sale_id = ? AND user_id = ? ORDER BY number DESC LIMIT 1':
      (tx, [saleId, userId]) =>
        ofSale(tx, saleId)
          .filter(({ user_id }) => user_id === userId)
          .slice(-1)
          .map(({ entered_at, left_at }) => ({ entered_at, left_at })),

    'SELECT coalesce(max(e.number) + 1, 0)::int AS early FROM line_entries e JOIN sales s ON s.id = e.sale_id WHERE e.sale_id = ? AND e.joined_at < s.starts_at':
      (tx, [saleId]) => {
        const startsAt = sales.get(tx, String(saleId))?.startsAt.getTime() ?? 0;
        const early = ofSale(tx, saleId).filter(({ joined_at }) => joined_at.getTime() < startsAt);
        return [{ early: (early.at(-1)?.number ?? -1) + 1 }];
      },

    'SELECT number, nonce FROM line_entries WHERE sale_id = ? AND number >= ? AND number < ? ORDER BY number LIMIT ?':
      (tx, [saleId, from, to, most]) =>
        ofSale(tx, saleId)
          .filter(({ number }) => number >= Number(from) && number < Number(to))
          .slice(0, Number(most))
          .map(({ number, nonce }) => ({ number, nonce })),

    'SELECT number, user_id, nonce, weight, place, passed_over, left_at IS NOT NULL AS has_left FROM line_entries WHERE sale_id = ? AND number >= ? AND number < ? ORDER BY number':
      (tx, [saleId, from, to]) =>
        ofSale(tx, saleId)
          .filter(({ number }) => number >= Number(from) && number < Number(to))
          .map(({ number, user_id, nonce, weight, place, passed_over, left_at }) => ({
            number,
            user_id,
            nonce,
            weight,
            place,
            passed_over,
            has_left: left_at !== null,
          })),

    'SELECT count(*)::int AS count FROM line_entries WHERE sale_id = ? AND number = ANY (?::int[]) AND left_at IS NULL AND entered_at IS NULL':
      (tx, [saleId, numbers]) => {
        const idle = ofSale(tx, saleId)
          .filter(isIn(numbers))
          .filter(({ left_at, entered_at }) => left_at === null && entered_at === null);
        return [{ count: idle.length }];
      },

    'SELECT user_id, entered_at FROM line_entries WHERE sale_id = ? AND entered_at > now() - make_interval(secs => ?)':
      (tx, [saleId, sec]) =>
        ofSale(tx, saleId)
          .filter(({ entered_at }) => entered_at !== null)
          .filter(({ entered_at }) => Number(entered_at) > now() - Number(sec) * 1_000)
          .map(({ user_id, entered_at }) => ({ user_id, entered_at })),

    'SELECT count(*)::int AS count FROM unnest(?::smallint[], ?::text[], ?::timestamptz[]) AS e (shard, user_id, since) WHERE EXISTS (SELECT 1 FROM orders o WHERE o.shard = e.shard AND o.user_id = e.user_id AND o.sale_id = ? AND o.accepted_at >= e.since)':
      (tx, [shards, users, since, saleId]) => {
        const bought = (users as string[]).filter((userId, at) => {
          const from = ((since as Date[])[at] as Date).getTime();
          const shard = (shards as number[])[at];
          const isTheirs = (row: { shard: number; userId: string; saleId: string; acceptedAt: number }) =>
            row.shard === shard && row.userId === userId && row.saleId === saleId && row.acceptedAt >= from;
          return orders.find(tx, isTheirs).length > 0;
        });
        return [{ count: bought.length }];
      },

    'SELECT number FROM line_entries WHERE sale_id = ? AND number = ANY (?::int[]) AND left_at IS NULL': (
      tx,
      [saleId, numbers],
    ) =>
      ofSale(tx, saleId)
        .filter(isIn(numbers))
        .filter(({ left_at }) => left_at === null)
        .map(({ number }) => ({ number })),
  };
}

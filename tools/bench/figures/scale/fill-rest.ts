import { FIRST_HASH, hashEntry } from '@/lib/audit/hash-entry';
import { db } from '@/lib/db/client';
import { LOAD_USER } from '@/lib/ids/load-user';
import type { BenchSale } from '../../stack/sales';

const DAY_MS = 86_400_000;
const AUDIT_PER_DAY = 1_000;
const HITS_PER_DAY = 1_000;
const LETTERS_PER_DAY = 100;
const RULE = 'rule_bench_scale';

/** Adds sales of the same merchant, numbers `from` … `to`: one of ten runs, the others are over and closed. */
export async function fillSales({ saleId }: BenchSale, from: number, to: number): Promise<void> {
  await db().$executeRaw`
    INSERT INTO sales (id, product_id, merchant_id, slug, title, price_minor, currency, total_stock, limit_per_user,
                       starts_at, ends_at, entry_opens_at, payment_window_sec, status, epoch, gate, published_at, closed_at)
    SELECT 'sale_scale_' || lpad(n::text, 6, '0'), product_id, merchant_id, 'bench-scale-' || n, 'Bench sale ' || n,
           price_minor, currency, total_stock, limit_per_user, starts_at - age, ends_at - age, entry_opens_at - age,
           payment_window_sec, CASE WHEN n % 10 = 0 THEN 'published' ELSE 'closed' END, epoch, gate, now() - age,
           CASE WHEN n % 10 > 0 THEN now() - age END
    FROM sales, generate_series(${from}::int, ${to}::int) AS n,
         LATERAL (SELECT CASE WHEN n % 10 = 0 THEN interval '0' ELSE make_interval(hours => 3 + n % 700) END AS age) AS past
    WHERE id = ${saleId}`;
}

/** Adds refusals of load-test users `from` … `to`, spread over `days`. */
export async function fillRefusals(
  { saleId }: BenchSale,
  from: number,
  to: number,
  days: number,
): Promise<void> {
  await db().$executeRaw`
    INSERT INTO refusals (sale_id, user_id, place, code, risk, first_at, last_at, times, available)
    SELECT ${saleId}, ${LOAD_USER} || lpad(n::text, 7, '0'), 'purchase', 'SOLD_OUT', 'none', at, at, 1, 0
    FROM generate_series(${from}::int, ${to}::int) AS n,
         LATERAL (SELECT now() - make_interval(secs => 86400.0 * ${days}::int * (${to}::int - n) / ${to}::int) AS at) AS past`;
}

/** Adds the audit entries, risk hits and settled dead letters of the days `from` … `to` before now. */
export async function fillDays({ saleId }: BenchSale, from: number, to: number): Promise<void> {
  await db().$executeRaw`
    INSERT INTO risk_rules (id, name, definition, state, changed_by)
    VALUES (${RULE}, 'Bench', '{}', 'disabled', 'bench') ON CONFLICT DO NOTHING`;
  await db().$executeRaw`
    INSERT INTO risk_hits (rule_id, rule_version, kind, value, period, counters, action, dry_run, sale_id, created_at)
    SELECT ${RULE}, 1, 'ip', '10.0.0.1', day * ${HITS_PER_DAY}::int + n, '{}', '{"kind": "note"}', false, ${saleId},
           now() - make_interval(days => day)
    FROM generate_series(${from}::int, ${to}::int) AS day, generate_series(1, ${HITS_PER_DAY}::int) AS n`;
  await db().$executeRaw`
    INSERT INTO dead_letters (consumer, message_id, sale_id, payload, error, resolved_at, resolution, created_at)
    SELECT 'mail', 'bench ' || day || ' ' || n, ${saleId}, '{}', 'refused', at, 'discarded', at
    FROM generate_series(${from}::int, ${to}::int) AS day, generate_series(1, ${LETTERS_PER_DAY}::int) AS n,
         LATERAL (SELECT now() - make_interval(days => day) AS at) AS past`;
  await fillAudit(saleId, (to - from + 1) * AUDIT_PER_DAY);
}

/** Appends entries to the audit log, a chain that verifies. */
async function fillAudit(saleId: string, count: number): Promise<void> {
  const head = await db().auditHead.findFirst();
  let [id, previousHash] = [head?.id ?? 0n, head?.hash ?? FIRST_HASH];
  const entries = Array.from({ length: count }, (_, n) => {
    id += 1n;
    const entry = {
      id,
      at: new Date(Date.now() - DAY_MS + n),
      actorId: 'user_bench',
      actorRole: 'merchant',
      action: n % 2 === 0 ? 'sale.pause' : 'sale.resume',
      subjectKind: 'sale',
      subjectId: saleId,
      before: { paused: n % 2 === 1 },
      after: { paused: n % 2 === 0 },
      reason: null,
      previousHash,
    };
    previousHash = hashEntry(entry);
    return { ...entry, reason: undefined, hash: previousHash };
  });
  await db().auditEntry.createMany({ data: entries });
  await db().auditHead.updateMany({ data: { id, hash: previousHash } });
}

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ALERT_RULE_IDS, type AlertRuleId } from '@/lib/contract/words/alert';
import { closeDb } from '@/lib/db/client';
import { withLock } from '@/lib/lock/with-lock';
import { METRICS } from '@/lib/metrics/catalog';
import { countRequest } from '@/lib/metrics/http-meter';
import { createPublisher } from '@/lib/metrics/publish-figures';
import { createOrderFixture } from '@/lib/purchase/testing/order-fixture';
import { closeRedis } from '@/lib/redis/client';
import { renderMetrics } from '@/lib/watch/render-metrics';
import { findPromtool } from '@/test/support/find-promtool.mjs';

const promtool = findPromtool();
if (!promtool) console.warn('The Prometheus files are not checked: there is no promtool here.');
const dir = mkdtempSync(join(tmpdir(), 'seckill-prometheus-'));
const alertsFile = join(import.meta.dirname, 'alerts.yml');
const alerts = readFileSync(alertsFile, 'utf8');
const dashboard = JSON.parse(readFileSync(join(import.meta.dirname, '../grafana/seckill.json'), 'utf8')) as {
  panels: { id: number; title: string; targets?: { expr: string }[] }[];
  templating: { list: { name: string; definition?: string }[] };
};
const queries = dashboard.panels.flatMap(({ targets }) => targets ?? []).map(({ expr }) => expr);

afterAll(async () => {
  rmSync(dir, { recursive: true, force: true });
  await closeRedis();
  await closeDb();
});

const write = (name: string, text: string) => {
  const file = join(dir, name);
  writeFileSync(file, text);
  return file;
};

function run(args: string[], input?: string) {
  const { status, stdout, stderr } = spawnSync(promtool ?? '', args, { input, encoding: 'utf8' });
  return { status, said: `${stdout}${stderr}` };
}

/** Returns a metric's own name, without a histogram's suffix. */
const base = (name: string) => (name in METRICS ? name : name.replace(/_(bucket|sum|count)$/, ''));
const namesIn = (text: string) => new Set((text.match(/\bseckill_[a-z_]+/g) ?? []).map(base));

const TOLD_BY_PROMETHEUS_ALONE = ['pooler_down', 'silent'];

describe('the dashboard and the alert rules', () => {
  it('[J2] use no metric that is not told', () => {
    const definitions = dashboard.templating.list.map(({ definition }) => definition ?? '');
    const used = namesIn([alerts, ...queries, ...definitions].join('\n'));
    expect([...used].filter((name) => !(name in METRICS))).toEqual([]);
    expect(used.size).toBeGreaterThan(20);
  });

  it('[J2] the dashboard shows every metric there is, each panel by its own id', () => {
    const shown = namesIn(queries.join('\n'));
    const unseen = Object.keys(METRICS).filter((name) => !shown.has(name));
    expect(unseen).toEqual(['seckill_lock_tries_total', 'seckill_lock_hold_seconds']);
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  });

  it('[J1] there is a rule for each of the shop’s own', () => {
    const named = [...alerts.matchAll(/\brule: (\w+)/g)].map(([, name]) => name);
    expect(named).toEqual([...ALERT_RULE_IDS, ...TOLD_BY_PROMETHEUS_ALONE]);
  });
});

/**
 * Makes a series with a value every 15 s for 5 minutes: once below the shop's threshold, once above it. `a+bxn` means
 * n more values, each b higher.
 */
const S = (name: string, below: string, above: string) => ({ name, below, above });
const still = (value: number) => `${value}x20`;
const growing = (perStep: number) => `0+${perStep}x20`;

const SERIES: Record<AlertRuleId | 'pooler_down', ReturnType<typeof S>[]> = {
  held_not_released: [S('seckill_held_overdue_units{sale="s"}', still(0), still(1))],
  unpaid_share: [
    S('seckill_unpaid_ratio{sale="s"}', still(0.1), still(0.15)),
    S('seckill_orders{sale="s",status="paid"}', still(18), still(17)),
    S('seckill_orders{sale="s",status="cancelled"}', still(2), still(3)),
  ],
  risk_hits_growth: [
    S('seckill_risk_hits_recent{rule="r"}', still(15), still(16)),
    S('seckill_risk_hits_before{rule="r"}', still(10), still(10)),
  ],
  outbox_depth: [S('seckill_outbox_depth{sale="s"}', still(10_000), still(10_001))],
  outbox_lag: [S('seckill_outbox_lag_seconds{sale="s"}', still(10), still(11))],
  slice_dry: [
    S('seckill_slice_units{sale="s",slice="0",tier="available"}', still(0), still(0)),
    S('seckill_slice_units{sale="s",slice="1",tier="available"}', still(5), still(5)),
    S('seckill_slice_searches_failed_total{sale="s"}', still(1), growing(1)),
  ],
  message_lag: [S('seckill_messages_lag_seconds{topic="points"}', still(60), still(61))],
  executor_lag: [S('seckill_executor_lag_seconds', still(30), still(31))],
  dead_letters: [S('seckill_dead_letters{consumer="points"}', still(0), still(1))],
  payment_mismatch: [S('seckill_misfit_payments{sale="s"}', still(0), still(1))],
  processing_delay: [
    S('seckill_processing_delay_seconds_sum', growing(90), growing(110)),
    S('seckill_processing_delay_seconds_count', growing(10), growing(10)),
  ],
  error_rate: [
    S('seckill_http_requests_total{status="503"}', growing(4), growing(6)),
    S('seckill_http_requests_total{status="202"}', growing(96), growing(94)),
  ],
  lock_wait: [
    S('seckill_lock_wait_seconds_sum{kind="k"}', growing(1.9), growing(2.1)),
    S('seckill_lock_wait_seconds_count{kind="k"}', growing(10), growing(10)),
  ],
  log_heads_late: [S('seckill_log_lag_seconds{sale="s"}', still(10), still(11))],
  lock_hold: [S('seckill_lock_long_holds_total{kind="k"}', still(1), growing(1))],
  sign_in_failures: [S('seckill_sign_ins_total{outcome="wrong"}', growing(24), growing(26))],
  accounts_attacked: [S('seckill_accounts_attacked_total', still(1), growing(1))],
  process_not_ready: [S('seckill_process_ready{need="orderNumbers"}', still(1), still(0))],
  side_feature_off: [S('seckill_side_feature_on{feature="why",process="1"}', still(1), still(0))],
  store_down: [S('seckill_store_up{store="redis"}', still(1), still(0))],
  redis_node_down: [S('seckill_redis_node_up{store="stock",node="a:1",role="replica"}', still(1), still(0))],
  redis_memory: [S('seckill_redis_memory_ratio{store="stock",node="a:1"}', still(0.8), still(0.81))],
  redis_slots_lost: [S('seckill_redis_slots_covered{store="stock"}', still(16_384), still(10_923))],
  redis_failover: [S('seckill_redis_failovers_total{store="stock"}', still(1), growing(1))],
  redis_replica_lag: [S('seckill_redis_replica_lag_seconds{node="a:1"}', still(10), still(11))],
  replica_acks_missing: [S('seckill_replica_acks_total{outcome="missing"}', still(3), growing(1))],
  database_replica_down: [S('seckill_postgres_replica_up{replica="a:5432"}', still(1), still(0))],
  database_replica_lag: [S('seckill_postgres_replica_lag_seconds{replica="a:5432"}', still(30), still(31))],
  database_connections: [S('seckill_database_connections{state="waiting"}', still(20), still(21))],
  mark_weeks: [S('seckill_mark_partitions_ahead', still(4), still(3))],
  pooler_down: [S('seckill_pooler_up', still(1), still(0))],
};

describe.skipIf(!promtool)('promtool', () => {
  it('[J2] takes the configuration and its rules', () => {
    const { status, said } = run(['check', 'config', join(import.meta.dirname, 'prometheus.yml')]);
    expect(said).toContain('SUCCESS');
    expect(status).toBe(0);
  });

  it('[J2] takes every query of the dashboard', () => {
    const rules = queries.map((expr, at) => ({
      record: `query_${at}`,
      expr: expr.replaceAll('$__rate_interval', '1m').replaceAll('$sale', '.+'),
    }));
    const file = write('queries.yml', JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    const { status, said } = run(['check', 'rules', file]);
    expect(said).toContain(`${queries.length} rules found`);
    expect(status).toBe(0);
    const broken = { groups: [{ name: 'broken', rules: [{ record: 'query', expr: 'sum(' }] }] };
    expect(run(['check', 'rules', write('broken.yml', JSON.stringify(broken))]).status).not.toBe(0);
  });

  it.each([...ALERT_RULE_IDS, 'pooler_down'] as const)(
    '[J1] %s is silent at the shop’s threshold and fires above it',
    (rule) => {
      const name = alerts.match(new RegExp(`alert: (\\w+)(?:(?!alert:)[\\s\\S])*?rule: ${rule}\\b`))?.[1];
      const firing = (side: 'below' | 'above') => {
        const series = SERIES[rule].map((one) => ({ series: one.name, values: one[side] }));
        const silent = { eval_time: '4m', alertname: name, exp_alerts: [] };
        const tests = [{ interval: '15s', input_series: series, alert_rule_test: [silent] }];
        return write(`${rule}-${side}.yml`, JSON.stringify({ rule_files: [alertsFile], tests }));
      };
      expect(run(['test', 'rules', firing('below')])).toMatchObject({ status: 0 });
      const above = run(['test', 'rules', firing('above')]);
      expect(above.status).not.toBe(0);
      expect(above.said).toMatch(new RegExp(`got:\\s*\\[[\\s\\S]*alertname="${name}"`));
    },
  );

  it('[J2] takes what /metrics says in the middle of a sale', async () => {
    await createOrderFixture();
    await withLock('test:1', { ttlMs: 1_000 }, async () => 1);
    countRequest('purchase', 202, 3);
    await createPublisher('web')();
    const text = await renderMetrics();
    expect(text).toContain('seckill_http_duration_seconds_bucket{route="purchase"');
    const { status, said } = run(['check', 'metrics'], text);
    expect(said).toBe('');
    expect(status).toBe(0);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ALERT_RULE_IDS } from '@/lib/contract/words/alert';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const sections = [...read('docs/RUNBOOK.md').matchAll(/^## (\w+)$/gm)].map(([, rule]) => rule);
const rules = [...ALERT_RULE_IDS, 'pooler_down', 'silent'];

it('[J1] the runbook has one section for each alert, and no others', () => {
  expect(sections.toSorted()).toEqual(rules.toSorted());
});

it('[J2] every alert of Prometheus leads to its section', () => {
  const alerts = read('deploy/prometheus/alerts.yml').split('- alert: ').slice(1);
  expect(alerts).toHaveLength(rules.length);
  for (const alert of alerts) {
    const [, rule] = /rule: (\w+)/.exec(alert) ?? [];
    expect(alert).toContain(`runbook: "docs/RUNBOOK.md#${rule}"`);
  }
});

it('[J1] pages that it names are there', () => {
  const names = [...read('docs/RUNBOOK.md').matchAll(/`\/admin\/(\w+)`/g)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(10);
  for (const name of new Set(names)) expect(() => read(`app/[locale]/admin/${name}/page.tsx`)).not.toThrow();
});

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { executorEnv } from '@/lib/env';
import { METRICS } from '@/lib/metrics/catalog';
import { SETTINGS } from '@/lib/settings/schema';
import { newSecrets } from '../../scripts/infra/secrets.mjs';
import { isThere } from '../../test/support/is-there.mjs';

const chart = join(import.meta.dirname, 'seckill');
const ROLES = ['web', 'worker', 'executor', 'migrate'];

describe('the Helm chart', () => {
  const values = parse(readFileSync(join(chart, 'values.yaml'), 'utf8'));
  const schema = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8'));
  const templates = readdirSync(join(chart, 'templates')).map((name) =>
    readFileSync(join(chart, 'templates', name), 'utf8'),
  );

  it('[K6] uses no value that has no default, and has no default that the schema does not know', () => {
    for (const [, path] of templates.join('\n').matchAll(/\.Values\.([\w.]+)/g))
      expect(values, path).toHaveProperty(path);
    const unknown = (given, known, path) =>
      Object.entries(given).flatMap(([name, value]) => {
        const next = known.properties?.[name];
        if (!next && known.additionalProperties !== undefined && known.additionalProperties !== false)
          return [];
        if (!next) return [`${path}.${name}`];
        const isFolder = value !== null && typeof value === 'object' && !Array.isArray(value);
        return isFolder && next.properties ? unknown(value, next, `${path}.${name}`) : [];
      });
    expect(unknown(values, schema, '')).toEqual([]);
  });

  it('[K6] sets only settings that exist, and scales by a metric that is told', () => {
    const named = [
      ...Object.keys(values.settings),
      ...[...templates.join('\n').matchAll(/(?:name: |^ {2})([A-Z][A-Z_]+[A-Z])(?::|$)/gm)].map(
        ([, one]) => one,
      ),
    ];
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => !SETTINGS.includes(name))).toEqual([]);
    const metrics = templates.join('\n').match(/\bseckill_[a-z_]+/g) ?? [];
    expect(metrics.length).toBeGreaterThan(0);
    for (const metric of metrics) expect(METRICS).toHaveProperty(metric);
  });

  describe.runIf(isThere('helm'))('rendered by helm', () => {
    const render = (...sets) => {
      // A helm built without one takes the oldest cluster for granted.
      const args = [
        'template',
        'shop',
        chart,
        '--kube-version=1.31.0',
        ...sets.flatMap((set) => ['--set', set]),
      ];
      const { status, stdout, stderr } = spawnSync('helm', args, { encoding: 'utf8' });
      const parts = parseAllDocuments(stdout)
        .map((document) => document.toJS())
        .filter(Boolean);
      return { status, stderr, parts, find: (kind, end) => parts.find(isNamed(kind, end)) };
    };
    const isNamed = (kind, end) => (part) => part.kind === kind && part.metadata.name.endsWith(end);
    const podsIn = (parts) => parts.flatMap(({ spec }) => (spec?.template ? [spec.template.spec] : []));

    it('[K6] gives every pod as few rights as it needs', () => {
      const { status, stderr, parts } = render();
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      const pods = podsIn(parts);
      expect(pods).toHaveLength(4);
      for (const pod of pods) {
        expect(pod).toMatchObject({
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        });
        expect(pod.topologySpreadConstraints).toHaveLength(2);
        expect(pod.containers[0].securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(ROLES).toContain(pod.containers[0].args[0]);
      }
    });

    it('[K6] selects with every service and budget the pods of one role', () => {
      const { parts } = render();
      const pods = parts
        .filter(({ spec }) => spec?.template)
        .map(({ spec }) => spec.template.metadata.labels);
      const selectors = parts.flatMap(({ kind, spec }) => {
        if (kind === 'Service') return [spec.selector];
        return spec?.selector?.matchLabels ? [spec.selector.matchLabels] : [];
      });
      expect(selectors.length).toBeGreaterThan(5);
      for (const selector of selectors) {
        const selected = pods.filter((labels) =>
          Object.entries(selector).every(([key, value]) => labels[key] === value),
        );
        expect(selected).toHaveLength(1);
      }
    });

    it('[K6] gives the executor its own settings only, which it accepts', () => {
      const { env, envFrom } = render().find('Deployment', '-executor').spec.template.spec.containers[0];
      expect(envFrom).toBeUndefined();
      const secrets = { ...newSecrets(), DATABASE_URL: 'postgres://a:b@c/d' };
      const given = Object.fromEntries(env.map(({ name, value }) => [name, value ?? secrets[name]]));
      expect(executorEnv(given)).toMatchObject({
        host: '0.0.0.0',
        serveOrigin: 'http://shop-seckill-web-starting',
      });
    });

    it('[K6] scales the way that is asked for', () => {
      expect(render().find('HorizontalPodAutoscaler', '-worker')).toBeUndefined();
      expect(render('worker.autoscaling.by=cpu').find('HorizontalPodAutoscaler', '-worker')).toBeDefined();
      const backlog = render('worker.autoscaling.by=backlog');
      expect(backlog.find('ScaledObject', '-worker').spec.triggers[0].metadata).toMatchObject({
        query: expect.stringContaining('seckill_outbox_depth'),
        threshold: '2000',
      });
      expect(backlog.find('Deployment', '-worker').spec).not.toHaveProperty('replicas');
      const alone = render(
        'web.autoscaling.enabled=false',
        'executor.enabled=false',
        'ingress.enabled=false',
      );
      expect(alone.find('Deployment', '-web').spec.replicas).toBe(2);
      expect(alone.parts.some(({ metadata }) => metadata.name.endsWith('-executor'))).toBe(false);
      expect(alone.find('ConfigMap', 'seckill').data).not.toHaveProperty('EXECUTOR_PORT');
    });

    it('[K6] refuses values that mean nothing, and secrets among the settings', () => {
      for (const wrong of [
        'web.replica=3',
        'worker.autoscaling.by=luck',
        'settings.ENTRY_SECRET=x',
        'secretName=',
      ])
        expect(render(wrong).status, wrong).not.toBe(0);
    });
  });
});

import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { executorEnv, parseEnv } from '@/lib/env';
import { SETTINGS } from '@/lib/settings-schema';
import { newSecrets } from '../../scripts/infra/secrets.mjs';

const root = resolve(import.meta.dirname, '../..');
const read = (...path) => readFileSync(join(root, ...path), 'utf8');
const ROLES = ['web', 'worker', 'executor', 'migrate'];

/** Reads a file of settings as Docker does. */
const settingsIn = (text) =>
  Object.fromEntries(
    text.split('\n').flatMap((line) => (/^[A-Z]/.test(line) ? [line.split(/=(.*)/s, 2)] : [])),
  );

describe('compose.yaml', () => {
  const { services, volumes } = parse(read('compose.yaml'), { merge: true });
  const filled = {
    ...settingsIn(read('deploy/docker/example.env')),
    ...newSecrets(),
    STRIPE_SECRET_KEY: 'sk_live_0123456789abcdef',
    STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef',
  };
  /** Puts values in place of `${NAME}`, `${NAME:-other}` and `${NAME:?reason}`. */
  const fill = (text) =>
    text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name, kind, rest) =>
      filled[name] ? filled[name] : kind === '-' ? rest : `missing ${name}`,
    );
  const environmentOf = (name) => ({
    ...(services[name].env_file ? filled : {}),
    ...Object.fromEntries(
      Object.entries(services[name].environment).map(([key, value]) => [key, fill(value)]),
    ),
  });

  it('[K6] runs each role from the one image, hardened', () => {
    for (const role of ROLES) {
      expect(services[role], role).toMatchObject({
        image: expect.stringContaining('seckill'),
        command: [role],
        read_only: true,
        tmpfs: ['/tmp'],
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        stop_grace_period: '15s',
      });
    }
    expect(services.migrate.restart).toBe('no');
    for (const name of ['web', 'worker', 'executor'])
      expect(services[name], name).toMatchObject({
        restart: 'unless-stopped',
        depends_on: { migrate: { condition: 'service_completed_successfully' } },
      });
  });

  it('[K6] waits only for what is there, and for health only where somebody tells it', () => {
    for (const [name, { depends_on = {}, volumes: mounted = [] }] of Object.entries(services)) {
      for (const [other, { condition }] of Object.entries(depends_on)) {
        expect(services, `${name} waits for ${other}`).toHaveProperty(other);
        if (condition === 'service_healthy') expect(services[other]).toHaveProperty('healthcheck.test');
      }
      for (const mount of mounted) expect(volumes).toHaveProperty(mount.split(':')[0]);
    }
  });

  it('[K6] gives each role settings that it accepts, and the executor no others', () => {
    expect(parseEnv(environmentOf('web'))).toMatchObject({
      isDemo: false,
      executorUrl: 'http://executor:8288',
    });
    expect(parseEnv(environmentOf('worker'))).toMatchObject({ metricsHost: '0.0.0.0' });
    expect(executorEnv(environmentOf('executor'))).toMatchObject({ host: '0.0.0.0', port: 8288 });
    expect(Object.keys(services.executor.environment)).not.toContain('REDIS_URL');
    expect(Object.keys(services.migrate.environment)).toEqual(['DATABASE_URL']);
    const own = ['POSTGRES_PASSWORD'];
    const named = Object.keys(settingsIn(read('deploy/docker/example.env')));
    expect(named.filter((name) => !SETTINGS.includes(name) && !own.includes(name))).toEqual([]);
  });

  it('[K6] starts a Redis that loses no purchase', () => {
    expect(services.redis.command.join(' ')).toContain(
      '--appendonly yes --appendfsync always --maxmemory-policy noeviction',
    );
  });
});

describe('Dockerfile', () => {
  const stages = read('Dockerfile')
    .split(/^FROM /m)
    .slice(1);

  it('[K6] builds by the script that is tested, and runs as somebody without rights', () => {
    expect(stages).toHaveLength(2);
    expect(stages[0]).toContain('RUN sh deploy/docker/build-app.sh');
    const last = stages[1];
    expect(last).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
    expect(last).not.toMatch(/apt-get|npm /);
    for (const [, file] of last.matchAll(/(?:\/app\/|")(deploy\/[\w./-]+)"/g))
      expect(existsSync(join(root, file)), file).toBe(true);
    expect(last).toMatch(/^HEALTHCHECK .*check-health\.mjs/m);
    expect(stages.every((stage) => /^\$\{BASE\}/.test(stage))).toBe(true);
  });

  it('[K6] leaves out secrets, data and what was installed here', () => {
    const ignored = read('.dockerignore').split('\n');
    for (const name of ['.git', '.env*', '*.env', '.data*', '.next*', 'node_modules'])
      expect(ignored).toContain(name);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { executorEnv, parseEnv } from '@/lib/env';
import { SETTINGS } from '@/lib/settings-schema';
import { newSecrets } from '../scripts/infra/secrets.mjs';

it('[O4] no file of a real shop lets payments move no money', () => {
  const root = join(import.meta.dirname, '..');
  const files = [
    'compose.yaml',
    'Dockerfile',
    ...readdirSync(import.meta.dirname, { recursive: true })
      .map((file) => `deploy/${file}`)
      .filter((file) => /\.(env|ya?ml|service|conf|sh|json)$/.test(file)),
  ];
  expect(files.length).toBeGreaterThan(15);
  for (const file of files)
    expect(readFileSync(join(root, file), 'utf8'), file).not.toContain('ALLOW_SANDBOX_PAYMENTS');
});

describe('deploy/README.md', () => {
  const text = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');
  const rows = [...text.matchAll(/^\| (`[A-Z_`, ]+) \| ([●○– |]+) \|/gm)].map(([, names, marks]) => ({
    names: names.match(/[A-Z_]{2,}/g) ?? [],
    marks: marks.split('|').map((mark) => mark.trim()),
  }));
  const marksOf = (name) => rows.find(({ names }) => names.includes(name))?.marks ?? [];

  it('[K6] says of every setting which role needs it', () => {
    const told = rows.flatMap(({ names }) => names);
    // The image and the commands set the first; the second is for npm start alone.
    const untold = ['NODE_ENV', 'SECKILL_ADMIN_EMAIL'];
    expect(told.toSorted()).toEqual(SETTINGS.filter((name) => !untold.includes(name)).toSorted());
  });

  it('[K6] calls exactly those needed without which a role does not start', () => {
    const secrets = newSecrets();
    const shop = {
      ...secrets,
      DATABASE_URL: 'postgres://a:b@c/d',
      REDIS_URL: 'redis://a',
      STRIPE_SECRET_KEY: 'sk_live_0123456789abcdef',
      STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef',
      SECKILL_DEMO: '0',
    };
    const isNeeded = (check, name) => {
      try {
        check({ ...shop, [name]: undefined });
        return false;
      } catch {
        return true;
      }
    };
    for (const { names } of rows)
      for (const name of names) {
        const [migrate, web, worker, executor] = marksOf(name).map((mark) => mark === '●');
        const ofShop = isNeeded(parseEnv, name);
        expect({ name, migrate, web, worker, executor }).toEqual({
          name,
          migrate: name === 'DATABASE_URL',
          web: ofShop,
          worker: ofShop,
          executor: isNeeded(executorEnv, name),
        });
      }
  });
});

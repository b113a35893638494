import { expect, it } from 'vitest';
import { isExecutorEmbedded, partEnv, roleEnv } from './settings.mjs';

const secrets = {
  NEXTAUTH_SECRET: 'generated',
  POSTGRES_PASSWORD: 'hidden',
  INNGEST_EVENT_KEY: 'embedded-event-key',
  INNGEST_SIGNING_KEY: 'embedded-signing-key',
};
const make = (base) =>
  partEnv({
    base,
    secrets,
    databaseUrl: 'postgres://embedded',
    redisUrl: 'redis://embedded',
    ports: { web: 3001, executor: 58_288, metrics: 9464 },
    isDev: false,
    isDemo: true,
  });

it('[E9] without any INNGEST_ variable the functions run on the embedded executor', () => {
  expect(isExecutorEmbedded({})).toBe(true);
  expect(isExecutorEmbedded({ INNGEST_DEV: '0', INNGEST_SIGNING_KEY: '' })).toBe(true);
  expect(make({})).toMatchObject({
    INNGEST_BASE_URL: 'http://127.0.0.1:58288',
    INNGEST_EVENT_KEY: 'embedded-event-key',
    EXECUTOR_PORT: '58288',
    INNGEST_SERVE_ORIGIN: 'http://127.0.0.1:3001',
    NEXTAUTH_URL: 'http://localhost:3001',
  });
  for (const [EXECUTOR_HOST, host] of [
    ['0.0.0.0', '127.0.0.1'],
    ['10.0.0.9', '10.0.0.9'],
    ['::1', '[::1]'],
  ])
    expect(make({ EXECUTOR_HOST }).INNGEST_BASE_URL).toBe(`http://${host}:58288`);
});

it('[E9] keys of Inngest elsewhere switch the embedded executor off and none of its settings are left', () => {
  const given = { INNGEST_EVENT_KEY: 'cloud-event-key', INNGEST_SIGNING_KEY: 'cloud-signing-key' };
  expect(isExecutorEmbedded(given)).toBe(false);
  expect(isExecutorEmbedded({ INNGEST_BASE_URL: 'http://inngest:8288' })).toBe(false);
  expect(isExecutorEmbedded({ INNGEST_DEV: '1' })).toBe(false);
  const settings = make(given);
  expect(settings).toMatchObject(given);
  expect(settings).not.toHaveProperty('INNGEST_BASE_URL');
  expect(settings).not.toHaveProperty('EXECUTOR_PORT');
});

it("[L1] what the user set wins over what was generated, and the database's own password stays here", () => {
  const settings = make({ NEXTAUTH_SECRET: 'mine', NEXTAUTH_URL: 'https://shop.example', npm_config_x: '1' });
  expect(settings).toMatchObject({ NEXTAUTH_SECRET: 'mine', NEXTAUTH_URL: 'https://shop.example' });
  expect(settings).not.toHaveProperty('POSTGRES_PASSWORD');
  expect(settings).not.toHaveProperty('npm_config_x');
  expect(make({ NEXTAUTH_SECRET: '' }).NEXTAUTH_SECRET).toBe('generated');
});

it('[K5] a role gets what its operator set, and signs and serves as in production', () => {
  const { INNGEST_DEV, INNGEST_ENABLE_UNAUTHED_SYNC, NODE_ENV, PORT, EMPTY } = roleEnv({
    PORT: '3001',
    INNGEST_DEV: '',
    EMPTY: '',
    NODE_ENV: 'test',
  });
  expect([INNGEST_DEV, INNGEST_ENABLE_UNAUTHED_SYNC, NODE_ENV, PORT, EMPTY]).toEqual([
    '0',
    'false',
    'production',
    '3001',
    undefined,
  ]);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testEnv } from '@/test/support/test-env';
import { executorEnv, parseEnv, parsePatience } from './env';

const withValue = (name: string, value: string | undefined) => () => parseEnv({ ...testEnv, [name]: value });

const namedServers = (count: number) => Array.from({ length: count }, (_, i) => `redis://host${i}`).join(',');

describe('parseEnv', () => {
  it('[L1] reads a complete environment', () => {
    expect(parseEnv(testEnv)).toMatchObject({ port: 3999, trustProxyHops: 0, isDemo: true });
  });

  it('[N7] knows https however it is spelt: cookies and a demo go by it', () => {
    const at = (NEXTAUTH_URL: string, SECKILL_DEMO = '0') =>
      parseEnv({ ...testEnv, ALLOW_SANDBOX_PAYMENTS: '1', NEXTAUTH_URL, SECKILL_DEMO }).publicUrl;
    expect(at('HTTPS://Shop.Example/')).toBe('https://shop.example');
    expect(at(' https://shop.example:8443/api/auth')).toBe('https://shop.example:8443');
    expect(() => at(' https://shop.example', '1')).toThrow(/SECKILL_DEMO: must be 0 where NEXTAUTH_URL/);
  });

  describe('[O1] a bucket of pictures', () => {
    const bucket = (given: Record<string, string>) => () =>
      parseEnv({
        ...testEnv,
        MEDIA_BUCKET: 'shop.pictures',
        MEDIA_BUCKET_REGION: 'eu-central-1',
        MEDIA_BUCKET_KEY_ID: 'KEY',
        MEDIA_BUCKET_SECRET: 'a/secret+8',
        ...given,
      }).mediaBucket;

    it('is there when its four settings are, at Amazon unless an address says otherwise', () => {
      expect(parseEnv(testEnv).mediaBucket).toBeNull();
      const whole = { name: 'shop.pictures', region: 'eu-central-1', keyId: 'KEY', secret: 'a/secret+8' };
      expect(bucket({})()).toEqual({ ...whole, endpoint: undefined, isPathStyle: false });
      const minio = { MEDIA_BUCKET_ENDPOINT: 'http://minio:9000', MEDIA_BUCKET_PATH_STYLE: '1' };
      expect(bucket(minio)()).toEqual({ ...whole, endpoint: 'http://minio:9000', isPathStyle: true });
    });

    it.each<[Record<string, string>, string]>([
      ...['MEDIA_BUCKET', 'MEDIA_BUCKET_REGION', 'MEDIA_BUCKET_KEY_ID', 'MEDIA_BUCKET_SECRET'].map(
        (name): [Record<string, string>, string] => [
          { [name]: '' },
          `${name}: must be set where another MEDIA_BUCKET_`,
        ],
      ),
      [{ MEDIA_BUCKET: 'Shop_Pictures' }, 'MEDIA_BUCKET: must be 3 to 63 lower-case letters'],
      [{ MEDIA_BUCKET_REGION: 'eu central' }, 'MEDIA_BUCKET_REGION: must be lower-case letters'],
      [{ MEDIA_BUCKET_SECRET: 'with a space' }, 'MEDIA_BUCKET_SECRET: must be 8 to 256 characters'],
      [{ MEDIA_BUCKET_ENDPOINT: 'minio:9000' }, 'MEDIA_BUCKET_ENDPOINT: must be a URL that starts with'],
      [{ MEDIA_BUCKET_PATH_STYLE: 'yes' }, 'MEDIA_BUCKET_PATH_STYLE: must be 0, 1'],
    ])('refuses %j', (given, message) => {
      expect(bucket(given)).toThrow(message);
    });

    it('is meant by its address alone, too', () => {
      const alone = { ...testEnv, MEDIA_BUCKET_ENDPOINT: 'https://s3.example' };
      expect(() => parseEnv(alone)).toThrow('MEDIA_BUCKET: must be set');
    });
  });

  describe('[N6] a sign-in server', () => {
    const openId = (given: Record<string, string>) => () =>
      parseEnv({
        ...testEnv,
        OIDC_ISSUER: 'https://id.example/shop',
        OIDC_CLIENT_ID: 'shop',
        OIDC_CLIENT_SECRET: 'a-secret-of-16-and-more',
        OIDC_NAME: 'Example 登录',
        ...given,
      });

    it('is there when all four are set, and not when none is', () => {
      expect(parseEnv(testEnv).openId).toBeNull();
      expect(openId({})().openId).toEqual({
        issuer: 'https://id.example/shop',
        clientId: 'shop',
        clientSecret: 'a-secret-of-16-and-more',
        name: 'Example 登录',
      });
      // For trying out: nothing leaves this machine.
      for (const OIDC_ISSUER of ['http://127.0.0.1:4000', 'http://[::1]:4000'])
        expect(openId({ OIDC_ISSUER })().openId?.issuer).toBe(OIDC_ISSUER);
    });

    it.each<[Record<string, string>, string]>([
      ...['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME'].map(
        (name): [Record<string, string>, string] => [
          { [name]: '' },
          `${name}: must be set where another OIDC_`,
        ],
      ),
      [{ OIDC_ISSUER: 'id.example' }, 'OIDC_ISSUER: must be a URL that starts with'],
      [{ OIDC_ISSUER: 'http://id.example' }, 'OIDC_ISSUER: must begin with https'],
      [{ OIDC_ISSUER: 'http://127.0.0.1.evil.test' }, 'OIDC_ISSUER: must begin with https'],
      [{ OIDC_ISSUER: 'https://id.example/?a=b' }, 'OIDC_ISSUER: must begin with https, and have no query'],
      [{ OIDC_ISSUER: 'https://me:word@id.example' }, 'OIDC_ISSUER: must begin with https'],
      [
        { OIDC_ISSUER: 'http://127.0.0.1:4000', NEXTAUTH_URL: 'https://shop.example', SECKILL_DEMO: '0' },
        'OIDC_ISSUER: must begin with https',
      ],
      [{ OIDC_CLIENT_SECRET: 'short' }, 'OIDC_CLIENT_SECRET: must be 16 to 512 characters'],
      [{ OIDC_NAME: 'a\nb' }, 'OIDC_NAME: must be 1 to 40 characters in one line'],
    ])('refuses %j at the start', (given, reason) => {
      expect(openId(given)).toThrow(reason);
    });
  });

  it('[C9] uses the stock Redis for the cache unless another is named', () => {
    expect(parseEnv(testEnv).cacheRedisUrl).toBe(testEnv.REDIS_URL);
    expect(withValue('CACHE_REDIS_URL', 'redis://cache:6379')().cacheRedisUrl).toBe('redis://cache:6379');
  });

  it('[D4] takes the cache Redis alone for locks, one named server, or an odd number of them', () => {
    expect(parseEnv(testEnv).lockRedisUrls).toEqual([]);
    expect(withValue('LOCK_REDIS_URLS', '')().lockRedisUrls).toEqual([]);
    const servers = [
      'redis://a:6379',
      'rediss://user:word@b:6380/2',
      'redis://c',
      'redis://a:6380',
      'redis://e',
    ];
    expect(withValue('LOCK_REDIS_URLS', servers[0])().lockRedisUrls).toEqual(['redis://a:6379']);
    expect(withValue('LOCK_REDIS_URLS', servers.join(' , '))().lockRedisUrls).toEqual(servers);
  });

  it.each([
    ['redis://a,redis://b', 'must name one server or an odd number of them'],
    ['redis://a,redis://b,redis://c,redis://d', 'must name one server or an odd number of them'],
    [namedServers(11), 'must name at most 9 servers'],
    ['redis://a,redis://b,redis://A:6379/1', 'must not name a server twice'],
    ['redis://a,redis://b,rediss://me:word@a', 'must not name a server twice'],
    ['redis://a,http://b,redis://c', 'must be a URL that starts with redis:// or rediss://'],
    ['redis://a,redis://b,', 'must be a URL that starts with redis:// or rediss://'],
    ['five servers', 'must be a URL that starts with redis:// or rediss://'],
  ])('[D4] refuses %j for the lock servers: %s', (value, reason) => {
    expect(withValue('LOCK_REDIS_URLS', value)).toThrow(`LOCK_REDIS_URLS: ${reason}`);
  });

  const shop = {
    ...testEnv,
    SECKILL_DEMO: '0',
    ALLOW_SANDBOX_PAYMENTS: '1',
    NEXTAUTH_URL: 'https://shop.example',
  };
  const edge = (given: Record<string, string>) => () => parseEnv({ ...shop, ...given });

  it('[K3] takes other names for purchases and for files, and one CDN', () => {
    expect(parseEnv(testEnv)).toMatchObject({ cdn: null });
    expect(parseEnv(testEnv).purchaseOrigin).toBeUndefined();
    const { purchaseOrigin, assetOrigin, cdn } = edge({
      PURCHASE_ORIGIN: 'https://BUY.example/',
      ASSET_ORIGIN: 'https://static.example:8443',
      CDN_VENDOR: 'fastly',
      CDN_ZONE: 'SU1Z0isxPaozGVKXdv0eY',
      CDN_API_TOKEN: 'a-token-of-16-and-more',
    })();
    expect([purchaseOrigin, assetOrigin]).toEqual(['https://buy.example', 'https://static.example:8443']);
    expect(cdn).toMatchObject({ vendor: 'fastly', zone: 'SU1Z0isxPaozGVKXdv0eY' });
  });

  it.each<[Record<string, string>, string]>([
    [{ PURCHASE_ORIGIN: 'buy.example' }, 'PURCHASE_ORIGIN: must be a URL that starts with'],
    [{ PURCHASE_ORIGIN: '*' }, 'PURCHASE_ORIGIN: must be a URL that starts with'],
    [{ PURCHASE_ORIGIN: "https://buy.example; script-src 'unsafe-inline'" }, 'PURCHASE_ORIGIN: must be'],
    [{ PURCHASE_ORIGIN: 'https://buy.example/api' }, 'PURCHASE_ORIGIN: must be scheme and host alone'],
    [{ PURCHASE_ORIGIN: 'https://me:word@buy.example' }, 'PURCHASE_ORIGIN: must be scheme and host alone'],
    [
      { PURCHASE_ORIGIN: 'https://shop.example' },
      'PURCHASE_ORIGIN: must not be the address of the shop itself',
    ],
    [
      { ASSET_ORIGIN: 'http://static.example' },
      'ASSET_ORIGIN: must begin with https where NEXTAUTH_URL does',
    ],
    [{ CDN_VENDOR: 'akamai' }, 'CDN_VENDOR: must be cloudflare or fastly'],
    [
      { CDN_VENDOR: 'fastly', CDN_API_TOKEN: 'a-token-of-16-and-more' },
      'CDN_ZONE: must be set with CDN_VENDOR',
    ],
    [{ CDN_VENDOR: 'fastly', CDN_ZONE: '../purge_all' }, 'CDN_ZONE: must be letters and digits'],
    [{ CDN_ZONE: 'abc' }, 'CDN_ZONE: must not be set without CDN_VENDOR'],
    [{ CDN_API_TOKEN: 'short' }, 'CDN_API_TOKEN: must be 16 to 512 characters'],
    [{ CDN_VENDOR: 'fastly', CDN_PURGE_URL: 'https://a' }, 'CDN_PURGE_URL: must not be set with CDN_VENDOR'],
  ])('[K3] refuses %j at the start', (given, reason) => {
    expect(edge(given)).toThrow(reason);
  });

  it('[K6] stretches no time limit by itself', () => {
    expect(parsePatience({})).toBe(1);
    expect(parsePatience({ SECKILL_PATIENCE: '10' })).toBe(10);
    expect(() => parsePatience({ SECKILL_PATIENCE: '0' })).toThrow('SECKILL_PATIENCE');
    expect(withValue('SECKILL_PATIENCE', 'much')).toThrow('SECKILL_PATIENCE');
  });

  it('[K4] takes up to nine replicas, none by default', () => {
    expect(withValue('DATABASE_REPLICA_URLS', '')().databaseReplicaUrls).toEqual([]);
    const two = ['postgres://a/shop', 'postgresql://me:word@b:5433/shop'];
    expect(withValue('DATABASE_REPLICA_URLS', two.join(' , '))().databaseReplicaUrls).toEqual(two);
    expect(withValue('REPLICA_MAX_LAG_MS', '')().replicaMaxLagMs).toBe(1_000);
  });

  it.each([
    ['postgres://a/shop,postgres://A:5432/other', 'must not name a server twice'],
    [Array.from({ length: 10 }, (_, n) => `postgres://r${n}/shop`).join(), 'must name at most 9 servers'],
    ['postgres://a/shop,', 'must be a URL that starts with postgres:// or postgresql://'],
    ['redis://a', 'must be a URL that starts with postgres:// or postgresql://'],
  ])('[K4] refuses %j for the replicas: %s', (value, reason) => {
    expect(withValue('DATABASE_REPLICA_URLS', value)).toThrow(`DATABASE_REPLICA_URLS: ${reason}`);
  });

  it('[D2] takes how long and how often a purchase tries for its lock, within bounds', () => {
    expect(parseEnv(testEnv)).toMatchObject({ lockAcquireTimeoutMs: 500, lockRetryIntervalMs: 10 });
    const given = { LOCK_ACQUIRE_TIMEOUT_MS: '2000', LOCK_RETRY_INTERVAL_MS: '50' };
    expect(parseEnv({ ...testEnv, ...given })).toMatchObject({
      lockAcquireTimeoutMs: 2_000,
      lockRetryIntervalMs: 50,
    });
    for (const value of ['49', '5001', 'soon']) {
      expect(withValue('LOCK_ACQUIRE_TIMEOUT_MS', value)).toThrow(
        'LOCK_ACQUIRE_TIMEOUT_MS: must be a whole number from 50 to 5000',
      );
    }
    for (const value of ['0', '1001', '1.5']) {
      expect(withValue('LOCK_RETRY_INTERVAL_MS', value)).toThrow(
        'LOCK_RETRY_INTERVAL_MS: must be a whole number from 1 to 1000',
      );
    }
  });

  it.each([
    ['NEXTAUTH_SECRET', 'nextAuthSecrets'],
    ['ENTRY_SECRET', 'entrySecrets'],
    ['INTERNAL_SECRET', 'internalSecrets'],
  ] as const)(
    '[A4 N10] takes two live keys as %s, newest first, and not three, none or a short one',
    (name, field) => {
      const [a, b] = ['k'.repeat(32), 'm'.repeat(32)] as const;
      expect(withValue(name, a)()[field]).toEqual([a]);
      expect(withValue(name, `${a}, ${b}`)()[field]).toEqual([a, b]);
      for (const wrong of [`${a},${b},${a}`, '', `${a},`, `${a},short`])
        expect(withValue(name, wrong)).toThrow(new RegExp(name));
    },
  );

  it.each([
    ['PORT', '0'],
    ['PORT', 'eighty'],
    ['DATABASE_URL', 'mysql://somewhere/db'],
    ['DATABASE_URL', 'not a url'],
    ['REDIS_URL', 'http://localhost:6379'],
    ['NEXTAUTH_SECRET', 'short'],
    ['NEXTAUTH_SECRET', `changeme${'x'.repeat(40)}`],
    ['ENTRY_SECRET', ''],
    ['SANDBOX_WEBHOOK_SECRET', 'x'.repeat(40)],
    ['INNGEST_SIGNING_KEY', 'signkey-prod-abc'],
    ['TRUST_PROXY', '-1'],
    ['SECKILL_DEMO', 'maybe'],
    ['SECKILL_ADMIN_EMAIL', 'nobody'],
    ['SECKILL_ADMIN_EMAIL', `${'x'.repeat(300)}@example.com`],
    ['EXECUTOR_BACKOFF_MS', '1s'],
    ['METRICS_PORT', 'many'],
    ['METRICS_PORT', testEnv.PORT],
    ['METRICS_PORT', testEnv.EXECUTOR_PORT],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'nonsense'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['ALERT_EMAIL_TO', 'nobody'],
    ['ALERT_EMAIL_TO', 'ops@example.com,'],
    ['ALERT_WEBHOOK_URL', 'ftp://somewhere'],
    ['ALERT_WEBHOOK_SECRET', 'x'.repeat(40)],
    ['APPROVAL_STOCK_UNITS', 'never'],
    ['APPROVAL_STOCK_UNITS', '-1'],
    ['APPROVAL_REFUND_MINOR', '0.5'],
    ['APPROVAL_REFUND_MINOR', '3000000000'],
    ['KEEP_MARKS_DAYS', '7'],
    ['KEEP_NOTICES_DAYS', 'always'],
    ['KEEP_RISK_HITS_DAYS', '4000'],
    ['KEEP_ADDRESSES_DAYS', '29'],
    ['SHED_ABOVE', '0'],
    ['SHED_ABOVE', '98'],
    ['SHED_ABOVE', 'never'],
  ])('[L1] names %s when it is %j', (name, value) => {
    expect(withValue(name, value)).toThrow(new RegExp(`\\b${name}\\b`));
  });

  it('[E9] keeps what is needed for a while as long as it is told, or for ever', () => {
    const kept = (days: string) => {
      const names = ['KEEP_MARKS_DAYS', 'KEEP_NOTICES_DAYS', 'KEEP_RISK_HITS_DAYS', 'KEEP_ADDRESSES_DAYS'];
      const given = Object.fromEntries(names.map((name) => [name, days]));
      const env = parseEnv({ ...testEnv, ...given });
      return [env.keepMarksDays, env.keepNoticesDays, env.keepRiskHitsDays, env.keepAddressesDays];
    };
    expect(kept('')).toEqual([30, 365, 90, 180]);
    expect(kept('31')).toEqual([31, 31, 31, 31]);
    expect(kept('off')).toEqual([null, null, null, null]);
  });

  it('[J6] side features go above the load it is told, or not by themselves', () => {
    const above = (SHED_ABOVE: string) => parseEnv({ ...testEnv, SHED_ABOVE }).shedAbove;
    expect([above(''), above('60'), above('off')]).toEqual([90, 60, null]);
  });

  it('[N5] staff need a second factor outside the demo, unless that is switched off', () => {
    const isRequired = (given: Record<string, string>) =>
      parseEnv({ ...testEnv, ...given }).isStaffFactorRequired;
    expect(isRequired({ SECKILL_DEMO: '0' })).toBe(true);
    expect(isRequired({ SECKILL_DEMO: '0', STAFF_SECOND_FACTOR: '0' })).toBe(false);
    expect(isRequired({ SECKILL_DEMO: '1' })).toBe(false);
    expect(() => isRequired({ SECKILL_DEMO: '1', STAFF_SECOND_FACTOR: '1' })).toThrow(/STAFF_SECOND_FACTOR/);
  });

  it('[N5] staff are asked again after a quarter of an hour, unless told otherwise; in the demo never', () => {
    const minutesOf = (given: Record<string, string>) =>
      parseEnv({ ...testEnv, ...given }).confirmAgainMs / 60_000;
    expect(minutesOf({ SECKILL_DEMO: '0' })).toBe(15);
    expect(minutesOf({ SECKILL_DEMO: '0', CONFIRM_AGAIN_MINUTES: '0' })).toBe(0);
    expect(minutesOf({ SECKILL_DEMO: '1' })).toBe(0);
    expect(minutesOf({ SECKILL_DEMO: '1', CONFIRM_AGAIN_MINUTES: '5' })).toBe(5);
  });

  it('[I9] two people agree unless that is switched off by a word; in the demo later', () => {
    const thresholds = (given: Record<string, string>) => {
      const { approvalStockUnits, approvalRefundMinor } = parseEnv({ ...testEnv, ...given });
      return [approvalStockUnits, approvalRefundMinor];
    };
    const none = { APPROVAL_STOCK_UNITS: '', APPROVAL_REFUND_MINOR: '' };
    expect(thresholds({ ...none, SECKILL_DEMO: '0' })).toEqual([1_000, 100_000]);
    expect(thresholds({ ...none, SECKILL_DEMO: '1' })).toEqual([10_000, 1_000_000]);
    expect(thresholds({ APPROVAL_STOCK_UNITS: 'off', APPROVAL_REFUND_MINOR: 'off' })).toEqual([null, null]);
    expect(thresholds({ APPROVAL_STOCK_UNITS: '0', APPROVAL_REFUND_MINOR: '7' })).toEqual([0, 7]);
    expect(withValue('APPROVAL_REFUND_MINOR', 'never')).toThrow(
      /APPROVAL_REFUND_MINOR: must be off or a whole number from 0 to 2147483647/,
    );
  });

  it('[J1] a webhook for alerts needs its secret', () => {
    expect(withValue('ALERT_WEBHOOK_URL', 'https://ops.example/hook')).toThrow(/ALERT_WEBHOOK_SECRET/);
    const alertWebhook = { url: 'https://ops.example/hook', secret: testEnv.SANDBOX_WEBHOOK_SECRET ?? '' };
    const given = { ALERT_WEBHOOK_URL: alertWebhook.url, ALERT_WEBHOOK_SECRET: alertWebhook.secret };
    expect(parseEnv({ ...testEnv, ...given })).toMatchObject({ alertWebhook, alertEmailTo: [] });
  });

  it('[L1] names everything that is wrong at once', () => {
    expect(() => parseEnv({})).toThrow(/DATABASE_URL[\s\S]*REDIS_URL[\s\S]*ENTRY_SECRET/);
  });

  it('[L1] says what is wanted, once for each, also of what is not set', () => {
    const message = (given: Record<string, string | undefined>) => {
      try {
        return `${parseEnv({ ...testEnv, ...given })}`;
      } catch (error) {
        return (error as Error).message.split('\n').slice(1);
      }
    };
    expect(
      message({ PORT: 'http', TRUST_PROXY: '-0.5', SECKILL_DEMO: 'off', SECKILL_FAST_LANE: 'no' }),
    ).toEqual([
      '  PORT: must be a whole number from 1 to 65535',
      '  TRUST_PROXY: must be a whole number from 0 to 10',
      '  SECKILL_FAST_LANE: must be on or off',
      '  SECKILL_DEMO: must be 0, 1, true or false',
    ]);
    expect(message({ INNGEST_EVENT_KEY: undefined, OTEL_TRACES_SAMPLER_ARG: 'half' })).toEqual([
      '  INNGEST_EVENT_KEY: is not set',
      '  OTEL_TRACES_SAMPLER_ARG: must be a number from 0 to 1',
    ]);
  });

  it('[L3] takes INNGEST_DEV=false for what it says: functions run for signed calls only', () => {
    const isDev = (value: string) => withValue('INNGEST_DEV', value)().inngest.isDev;
    expect(['0', 'false', ''].map(isDev)).toEqual([false, false, false]);
    expect(['1', 'true', 'http://localhost:8288'].map(isDev)).toEqual([true, true, true]);
  });

  it.each([
    [
      { SECKILL_DEMO: '1', NEXTAUTH_URL: 'https://shop.example' },
      /SECKILL_DEMO: must be 0 where NEXTAUTH_URL/,
    ],
    [{ SECKILL_DEMO: '1', TRUST_PROXY: '1' }, /SECKILL_DEMO: must be 0 behind a proxy/],
    [{ SECKILL_DEMO: '0', ALLOW_SANDBOX_PAYMENTS: '' }, /ALLOW_SANDBOX_PAYMENTS: must be 1 outside the demo/],
    [{ SECKILL_DEMO: '', ALLOW_SANDBOX_PAYMENTS: '0' }, /ALLOW_SANDBOX_PAYMENTS: must be 1 outside the demo/],
    [{ INNGEST_DEV: '1', NODE_ENV: 'production' }, /INNGEST_DEV: must not be set in production/],
    [{ ALLOW_SANDBOX_PAYMENTS: 'yes' }, /ALLOW_SANDBOX_PAYMENTS: must be 0, 1, true or false/],
  ])('[N7] refuses a demo, or money that is none, where strangers come: %j', (given, message) => {
    expect(() => parseEnv({ ...testEnv, ...given })).toThrow(message);
  });

  it('[N7] takes the sandbox outside the demo when that is said, and a demo without it', () => {
    const shop = {
      SECKILL_DEMO: '0',
      NEXTAUTH_URL: 'https://shop.example',
      TRUST_PROXY: '1',
      NODE_ENV: 'production',
    };
    expect(parseEnv({ ...testEnv, ...shop, ALLOW_SANDBOX_PAYMENTS: '1' }).isDemo).toBe(false);
    expect(parseEnv({ ...testEnv, SECKILL_DEMO: '1', ALLOW_SANDBOX_PAYMENTS: '' }).isDemo).toBe(true);
    expect(parseEnv({ ...testEnv, INNGEST_DEV: '1', NODE_ENV: 'development' }).inngest.isDev).toBe(true);
  });

  describe('[O4 N7] Stripe', () => {
    const keys = {
      STRIPE_SECRET_KEY: 'sk_live_0123456789abcdef',
      STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef',
    };
    const given = (overrides: Record<string, string>) => () =>
      parseEnv({ ...testEnv, SECKILL_DEMO: '0', ALLOW_SANDBOX_PAYMENTS: '', ...keys, ...overrides });

    it('takes the payments with a live key, and with a test key where that is said', () => {
      expect(given({})().stripe).toMatchObject({ isLive: true, apiUrl: undefined });
      const test = { STRIPE_SECRET_KEY: 'rk_test_0123456789abcdef', ALLOW_SANDBOX_PAYMENTS: '1' };
      expect(given({ ...test, STRIPE_API_URL: 'http://127.0.0.1:12111' })().stripe).toMatchObject({
        isLive: false,
        apiUrl: 'http://127.0.0.1:12111',
      });
      expect(parseEnv(testEnv).stripe).toBeNull();
    });

    it.each([
      [{ STRIPE_SECRET_KEY: '' }, 'STRIPE_SECRET_KEY: must be set with STRIPE_WEBHOOK_SECRET'],
      [{ STRIPE_WEBHOOK_SECRET: '' }, 'STRIPE_WEBHOOK_SECRET: must be set with STRIPE_SECRET_KEY'],
      [
        { STRIPE_SECRET_KEY: 'pk_live_0123456789abcdef' },
        'STRIPE_SECRET_KEY: must be a secret or restricted',
      ],
      [{ STRIPE_WEBHOOK_SECRET: 'secret' }, 'STRIPE_WEBHOOK_SECRET: must be the signing secret'],
      [
        { STRIPE_SECRET_KEY: 'sk_test_0123456789abcdef' },
        'ALLOW_SANDBOX_PAYMENTS: must be 1 outside the demo',
      ],
      [{ STRIPE_API_URL: 'https://stripe.evil.test' }, 'STRIPE_API_URL: must not be set without a test key'],
      [{ SECKILL_DEMO: '1' }, 'STRIPE_SECRET_KEY: must not be set in the demo'],
    ])('refuses %j, and shows no key', (overrides, reason) => {
      expect(given(overrides)).toThrow(reason);
      expect(given(overrides)).not.toThrow(/0123456789abcdef/);
    });
  });

  describe('[O4 N7] Mollie', () => {
    const live = { MOLLIE_API_KEY: 'live_0123456789abcdefghij' };
    const test = { MOLLIE_API_KEY: 'test_0123456789abcdefghij', ALLOW_SANDBOX_PAYMENTS: '1' };
    const stripe = {
      STRIPE_SECRET_KEY: 'sk_live_0123456789abcdef',
      STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef',
    };
    const given = (settings: Record<string, string>) => () =>
      parseEnv({ ...testEnv, SECKILL_DEMO: '0', ALLOW_SANDBOX_PAYMENTS: '', ...settings });

    it('takes the payments with a live key, and with a test key where that is said', () => {
      expect(given(live)().mollie).toMatchObject({ isLive: true, apiUrl: undefined });
      const apiUrl = 'https://127.0.0.1:12111/v2';
      expect(given({ ...test, MOLLIE_API_URL: apiUrl })().mollie).toMatchObject({ isLive: false, apiUrl });
      expect(parseEnv(testEnv).mollie).toBeNull();
      expect(given({ ...live, ...stripe, PAYMENT_PROVIDER: 'mollie' })()).toMatchObject({
        paymentProvider: 'mollie',
        stripe: { isLive: true },
      });
    });

    it.each([
      [{ MOLLIE_API_KEY: 'live_short' }, 'MOLLIE_API_KEY: must be an API key of Mollie'],
      [{ MOLLIE_API_KEY: test.MOLLIE_API_KEY }, 'ALLOW_SANDBOX_PAYMENTS: must be 1 outside the demo'],
      [
        { ...stripe, MOLLIE_API_KEY: test.MOLLIE_API_KEY, PAYMENT_PROVIDER: 'stripe' },
        'ALLOW_SANDBOX_PAYMENTS: must be 1 outside the demo',
      ],
      [
        { ...live, MOLLIE_API_URL: 'https://evil.test' },
        'MOLLIE_API_URL: must not be set without a test key',
      ],
      [{ ...test, MOLLIE_API_URL: 'http://127.0.0.1:1' }, 'MOLLIE_API_URL: must be'],
      [{ ...live, SECKILL_DEMO: '1' }, 'MOLLIE_API_KEY: must not be set in the demo'],
      [{ ...live, ...stripe }, 'PAYMENT_PROVIDER: must be set where several companies have a key'],
      [{ ...live, PAYMENT_PROVIDER: 'stripe' }, 'PAYMENT_PROVIDER: must name a provider that is set up'],
      [{ ...live, PAYMENT_PROVIDER: 'sandbox' }, 'PAYMENT_PROVIDER: must name a provider that is set up'],
      [{ ...live, PAYMENT_PROVIDER: 'gold' }, 'PAYMENT_PROVIDER: must be one of sandbox, stripe, mollie'],
    ])('refuses %j, and shows no key', (settings, reason) => {
      expect(given(settings)).toThrow(reason);
      expect(given(settings)).not.toThrow(/0123456789abcdef/);
    });
  });

  it('[N7] takes the settings that README.md gives for a start outside the demo', () => {
    const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
    const [, section = ''] = /\n## Outside the demo\n([\s\S]*?)\n## /.exec(readme) ?? [];
    const rows = [...section.matchAll(/^\| `(\w+)` \|.*\| `([^`]+)` \|$/gm)].map(([, name, value]) => [
      name,
      value,
    ]);
    expect(rows).toHaveLength(7);
    expect(parseEnv({ ...testEnv, ALLOW_SANDBOX_PAYMENTS: '', ...Object.fromEntries(rows) })).toMatchObject({
      isDemo: false,
      publicUrl: 'https://shop.example.com',
      trustProxyHops: 1,
      host: '127.0.0.1',
      adminEmail: 'you@example.com',
    });
  });

  it('[L1] never shows a secret in its message', () => {
    expect(withValue('NEXTAUTH_SECRET', 'hunter2')).not.toThrow(/hunter2/);
  });
});

describe('executorEnv', () => {
  const { DATABASE_URL, INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY } = testEnv;
  const alone = { DATABASE_URL, INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY };
  const long = 'f'.repeat(32);
  const strong = { ...alone, INNGEST_EVENT_KEY: long, INNGEST_SIGNING_KEY: `signkey-prod-${long}` };

  it('[K5] needs the database and the keys alone, and listens on loopback', () => {
    expect(executorEnv(alone)).toMatchObject({
      host: '127.0.0.1',
      port: undefined,
      eventKey: INNGEST_EVENT_KEY,
    });
    expect(() => executorEnv({})).toThrow(
      /DATABASE_URL: is not set\n.*EVENT_KEY: is not set\n.*SIGNING_KEY: is not set$/,
    );
  });

  it('[K5] listens elsewhere only with keys that nobody guesses', () => {
    for (const EXECUTOR_HOST of ['0.0.0.0', '::', '10.0.0.5', 'executor', '127.evil.example']) {
      expect(executorEnv({ ...strong, EXECUTOR_HOST }).host).toBe(EXECUTOR_HOST);
      for (const weak of [
        { INNGEST_EVENT_KEY: 'local' },
        { INNGEST_EVENT_KEY: 'change-me'.repeat(9) },
        { INNGEST_SIGNING_KEY: 'signkey-prod-00' },
      ])
        expect(() => executorEnv({ ...strong, EXECUTOR_HOST, ...weak })).toThrow(
          new RegExp(`${Object.keys(weak)[0]}: must be a random key`),
        );
    }
    for (const EXECUTOR_HOST of ['localhost', '127.0.0.2', '::1'])
      expect(executorEnv({ ...alone, EXECUTOR_HOST, INNGEST_EVENT_KEY: 'local' }).host).toBe(EXECUTOR_HOST);
  });

  it('[K5] the others find our executor on this machine, or where INNGEST_BASE_URL says', () => {
    const { INNGEST_BASE_URL: _, ...here } = testEnv;
    expect(parseEnv(here).executorUrl).toBe('http://127.0.0.1:8999');
    expect(withValue('INNGEST_BASE_URL', 'http://executor:8288')().executorUrl).toBe('http://executor:8288');
    expect(withValue('EXECUTOR_PORT', undefined)().executorUrl).toBeUndefined();
  });
});

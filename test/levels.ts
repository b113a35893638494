/**
 * Every folder of the house by level. A folder may import what stands in a later line: nothing above it, and nothing beside
 * it. A subject's records (its rows and keys) and its staff's verbs stand in folders of their own within it.
 */
export const LEVELS: readonly string[] = [
  'test',
  'tools',
  'e2e',
  'app scripts',
  'lib/api/visit lib/recovery lib/why/admin',
  'lib/server lib/why',
  'lib/admission lib/approval lib/delivery/admin lib/own-account lib/person lib/sale',
  'lib/draw lib/line lib/live lib/order/admin lib/reconcile',
  'inngest lib/api lib/dead-letter lib/demo lib/load-test lib/purchase lib/verify lib/waitlist',
  'lib/delivery lib/entry lib/payment lib/preflight',
  'lib/campaign lib/fallback lib/order lib/queue-strategy lib/sale/admin',
  'lib/loading',
  'lib/settlement',
  'lib/alert/admin lib/waitlist/giving',
  'lib/watch',
  'lib/audit/admin lib/campaign/admin lib/media/admin lib/product/admin lib/reservation lib/risk/admin lib/shop/admin',
  'components lib/access lib/account/admin lib/block/admin lib/draw/admin lib/line/admin lib/pages lib/payment/providers lib/points/admin lib/queues lib/rehearsal lib/risk lib/switchboard/admin',
  'lib/accepted lib/actor lib/campaign/records lib/decision-log lib/notify lib/order/records lib/payment/records lib/slice',
  'lib/delivery/records lib/metrics lib/outbox lib/refusal lib/sale/records',
  'lib/account lib/block lib/cache lib/line/records lib/stock lib/switchboard',
  'lib/alert lib/audit lib/breaker lib/challenge lib/device lib/draw/records lib/fallback/records lib/follow lib/health lib/limit lib/lock lib/media lib/points lib/product lib/reservation/records lib/servers lib/shop/records lib/slice/numbers lib/tries lib/waitlist/records',
  'lib/address lib/beacon lib/cdn lib/db lib/internal-authorization lib/purpose-seal lib/redis lib/trace',
  'lib/host-cookie lib/lacks-factor lib/purpose-keys lib/time-limits',
  'lib/env lib/lower-priority',
  'lib/http lib/settings-schema',
  'lib/contract lib/ids lib/security lib/setting-kinds',
  'i18n lib/clock lib/csv lib/errors lib/hmac lib/human-text lib/money lib/parse-tax-rate lib/process-wide lib/redis-address lib/shuffle lib/start-or-explain lib/waited-for-processors lib/zod-without-eval',
  'messages prisma',
];

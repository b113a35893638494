import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestApproval } from '@/lib/approval/request-approval';
import { ROLES, type Role } from '@/lib/contract/words/roles';
import type { ShopAct, ShopRole, ShopTopic } from '@/lib/contract/words/shop';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { recordDeadLetter } from '@/lib/outbox/record-dead-letter';
import { createOrderFixture } from '@/lib/purchase/testing/order-fixture';
import { closeRedis } from '@/lib/redis/client';
import { type Call, callWith, sessionOf } from '@/test/support/call-as';
import { makeMember } from '@/test/support/make-member';
import { makeUser } from '@/test/support/make-sale';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** The things that belong to one merchant. */
type Theirs = {
  saleId: string;
  productId: string;
  orderNo: string;
  deadLetterId: string;
  approvalId: string;
  /** The shopper who bought. */
  userId: string;
  alertId: string;
  messageId: string;
  campaignId: string;
  shopId: string;
  /** A member of the shop, who is made anew for each test. */
  memberId: string;
};

type Endpoint = {
  roles: readonly Role[];
  /**
   * For endpoints that merchants may call: how a merchant asks for their own thing, and what another merchant gets
   * for the same call: 404 unless `refusal` says otherwise, or 200 without `shows`. Null: the call cannot touch
   * another merchant's things.
   */
  own?: ((theirs: Theirs) => Omit<Call, 'method'> & { refusal?: number; shows?: string }) | null;
};

const EVERYBODY: Role[] = ['merchant', 'support', 'auditor', 'operator', 'admin'];
const CHANGERS: Role[] = ['merchant', 'operator', 'admin'];
const WATCHERS: Role[] = ['auditor', 'operator', 'admin'];
const OPERATORS: Role[] = ['operator', 'admin'];
const HELPERS: Role[] = ['support', 'admin'];
const ADMINS: Role[] = ['admin'];
const SHOP_LEADERS: Role[] = ['merchant', 'admin'];

const shopOf = ({ shopId }: Theirs) => ({ params: { shopId } });
const memberOf = ({ shopId, memberId }: Theirs) => ({ params: { shopId, userId: memberId } });
const saleOf = ({ saleId }: Theirs) => ({ params: { saleId } });
const campaignOf = ({ campaignId }: Theirs) => ({ params: { campaignId } });
const productOf = ({ productId }: Theirs) => ({ params: { productId } });
const orderOf = ({ orderNo }: Theirs) => ({ params: { orderNo } });
const letterOf = ({ deadLetterId }: Theirs) => ({ params: { id: deadLetterId } });
const alertOf = ({ alertId }: Theirs) => ({ params: { id: alertId } });
const messageOf = ({ messageId }: Theirs) => ({ params: { id: messageId } });
const approvalOf = ({ approvalId }: Theirs) => ({ params: { id: approvalId } });
const hour = 3_600_000;

/**
 * Lists by hand who may call which endpoint. This table is the promise, whatever the code's own table says. The calls
 * on a merchant's own things run in this order.
 */
const ENDPOINTS: Record<string, Partial<Record<Method, Endpoint>>> = {
  alerts: { GET: { roles: EVERYBODY, own: ({ saleId }) => ({ shows: saleId }) } },
  'alerts/[id]/acknowledge': { POST: { roles: CHANGERS, own: alertOf } },
  'alerts/rules': { GET: { roles: WATCHERS }, PATCH: { roles: OPERATORS } },
  approvals: { GET: { roles: EVERYBODY, own: ({ approvalId }) => ({ shows: approvalId }) } },
  'approvals/[id]/approve': { POST: { roles: CHANGERS, own: approvalOf } },
  'approvals/[id]/reject': {
    POST: { roles: CHANGERS, own: (theirs) => ({ ...approvalOf(theirs), body: { reason: 'x' } }) },
  },
  audit: { GET: { roles: WATCHERS } },
  'audit/export': { GET: { roles: WATCHERS } },
  'audit/verification': { GET: { roles: WATCHERS } },
  blocks: { GET: { roles: WATCHERS }, POST: { roles: OPERATORS } },
  'blocks/[id]/lift': { POST: { roles: OPERATORS } },
  'blocks/export': { GET: { roles: WATCHERS } },
  'blocks/import': { POST: { roles: OPERATORS } },
  'dead-letters': { GET: { roles: EVERYBODY, own: ({ saleId }) => ({ shows: saleId }) } },
  'dead-letters/retry': { POST: { roles: CHANGERS, own: () => ({ shows: '"notRetryable":1' }) } },
  'dead-letters/[id]/retry': { POST: { roles: CHANGERS, own: letterOf } },
  'dead-letters/[id]/discard': {
    POST: { roles: CHANGERS, own: (theirs) => ({ ...letterOf(theirs), body: { reason: 'x' } }) },
  },
  invitations: { POST: { roles: ADMINS } },
  levels: { GET: { roles: ADMINS }, PATCH: { roles: ADMINS } },
  orders: { GET: { roles: EVERYBODY, own: ({ orderNo }) => ({ shows: orderNo }) } },
  'orders/export': { GET: { roles: EVERYBODY, own: ({ orderNo }) => ({ shows: orderNo }) } },
  // lib/delivery/admin/parcel-files.integration.test.ts checks whose parcels these are.
  'orders/parcels/export': { GET: { roles: CHANGERS, own: null } },
  'orders/shipments': { POST: { roles: CHANGERS, own: null } },
  'orders/[orderNo]': {
    GET: { roles: EVERYBODY, own: orderOf },
    PATCH: {
      roles: CHANGERS,
      own: (theirs) => ({ ...orderOf(theirs), body: { priceMinor: 5, version: 1 } }),
    },
  },
  'orders/[orderNo]/refund-parts': {
    POST: {
      roles: CHANGERS,
      own: (theirs) => ({
        ...orderOf(theirs),
        body: { amountMinor: 1, reason: 'x', requestId: 'request-1' },
      }),
    },
  },
  'orders/[orderNo]/refund': {
    POST: {
      roles: CHANGERS,
      own: (theirs) => ({ ...orderOf(theirs), body: { reason: 'x', returnStock: true } }),
    },
  },
  'orders/[orderNo]/cancel': {
    POST: { roles: CHANGERS, own: (theirs) => ({ ...orderOf(theirs), body: { reason: 'x' } }) },
  },
  'orders/[orderNo]/delivery': {
    POST: { roles: CHANGERS, own: (theirs) => ({ ...orderOf(theirs), body: { to: 'packed' } }) },
  },
  // lib/delivery/admin/parcels.integration.test.ts checks who sees an address.
  'orders/[orderNo]/address': { GET: { roles: EVERYBODY, own: orderOf } },
  campaigns: {
    GET: { roles: EVERYBODY, own: ({ campaignId }) => ({ shows: campaignId }) },
    POST: { roles: CHANGERS, own: null },
  },
  'campaigns/[campaignId]': {
    GET: { roles: EVERYBODY, own: campaignOf },
    PATCH: {
      roles: CHANGERS,
      own: (theirs) => ({ ...campaignOf(theirs), body: { title: 'Other', version: 1 } }),
    },
  },
  'campaigns/[campaignId]/archive': { POST: { roles: CHANGERS, own: campaignOf } },
  'campaigns/[campaignId]/reopen': { POST: { roles: CHANGERS, own: campaignOf } },
  // A picture belongs to everybody who sees it; app/api/admin/media/media.integration.test.ts checks the shop.
  mails: { GET: { roles: ADMINS } },
  media: { POST: { roles: CHANGERS, own: null } },
  people: { GET: { roles: HELPERS } },
  'people/[userId]/mails': { POST: { roles: HELPERS } },
  products: {
    GET: { roles: EVERYBODY, own: ({ productId }) => ({ shows: productId }) },
    POST: { roles: CHANGERS, own: null },
  },
  'products/import': { POST: { roles: CHANGERS, own: null } },
  'products/[productId]': {
    PATCH: {
      roles: CHANGERS,
      own: (theirs) => ({ ...productOf(theirs), body: { name: 'Other', version: 1 } }),
    },
  },
  'products/[productId]/archive': { POST: { roles: CHANGERS, own: productOf } },
  'products/[productId]/reopen': { POST: { roles: CHANGERS, own: productOf } },
  // lib/queues/queues.integration.test.ts checks that sums and lists cover only the merchant's own sales.
  queues: { GET: { roles: EVERYBODY, own: null } },
  'queues/messages': { GET: { roles: EVERYBODY, own: ({ messageId }) => ({ shows: `"${messageId}"` }) } },
  'queues/messages/[id]/retry': { POST: { roles: CHANGERS, own: messageOf } },
  'queues/outboxes': { GET: { roles: EVERYBODY, own: null } },
  'queues/runs': { GET: { roles: EVERYBODY, own: null } },
  reconciliations: { GET: { roles: EVERYBODY, own: ({ saleId }) => ({ shows: saleId }) } },
  'risk/hits': { GET: { roles: WATCHERS } },
  'risk/hits/[hitId]/release': { POST: { roles: OPERATORS } },
  'risk/rules': { GET: { roles: WATCHERS }, POST: { roles: OPERATORS } },
  'risk/rules/[ruleId]': { PATCH: { roles: OPERATORS }, DELETE: { roles: OPERATORS } },
  'risk/rules/dry-run': { POST: { roles: OPERATORS } },
  sales: {
    GET: { roles: EVERYBODY, own: ({ saleId }) => ({ shows: saleId }) },
    POST: {
      roles: CHANGERS,
      own: ({ productId }) => ({
        refusal: 422,
        body: {
          productId,
          title: 'Other',
          priceMinor: 1,
          currency: 'EUR',
          totalStock: 1,
          limitPerUser: 1,
          startsAt: Date.now() + hour,
          endsAt: Date.now() + 2 * hour,
          paymentWindowSec: 900,
        },
      }),
    },
  },
  'sales/[saleId]': {
    GET: { roles: EVERYBODY, own: saleOf },
    PATCH: {
      roles: CHANGERS,
      own: (theirs) => ({ ...saleOf(theirs), body: { title: 'Other', version: 1 } }),
    },
  },
  'sales/[saleId]/preflight': { GET: { roles: EVERYBODY, own: saleOf } },
  'sales/[saleId]/situation': { GET: { roles: EVERYBODY, own: saleOf } },
  'sales/[saleId]/live': { GET: { roles: EVERYBODY, own: saleOf } },
  // The answer never ends: lib/live/live.integration.test.ts tests it.
  'sales/[saleId]/live/events': { GET: { roles: EVERYBODY, own: null } },
  'sales/[saleId]/why': {
    GET: {
      roles: EVERYBODY,
      own: (theirs) => ({ ...saleOf(theirs), query: { user: theirs.userId } }),
    },
  },
  'sales/[saleId]/rehearsals': {
    GET: { roles: EVERYBODY, own: saleOf },
    POST: { roles: CHANGERS, own: (theirs) => ({ ...saleOf(theirs), body: { shoppers: 10 } }) },
  },
  'sales/[saleId]/prewarm': { GET: { roles: EVERYBODY, own: saleOf } },
  'sales/[saleId]/publish': { POST: { roles: CHANGERS, own: saleOf } },
  'sales/[saleId]/pause': { POST: { roles: CHANGERS, own: saleOf } },
  'sales/[saleId]/resume': { POST: { roles: CHANGERS, own: saleOf } },
  'sales/[saleId]/waitlist/close': { POST: { roles: CHANGERS, own: saleOf } },
  'sales/[saleId]/waitlist/open': { POST: { roles: CHANGERS, own: saleOf } },
  'sales/[saleId]/log': { GET: { roles: EVERYBODY, own: saleOf } },
  'sales/[saleId]/log/verification': { GET: { roles: EVERYBODY, own: saleOf } },
  // A receipt exists only once a worker has signed the log: nobody has one here.
  'sales/[saleId]/receipt': { GET: { roles: EVERYBODY, own: null } },
  'sales/[saleId]/draw': { GET: { roles: EVERYBODY, own: (theirs) => ({ ...saleOf(theirs) }) } },
  'sales/[saleId]/line': {
    GET: { roles: EVERYBODY, own: (theirs) => ({ ...saleOf(theirs) }) },
    PATCH: { roles: CHANGERS, own: (theirs) => ({ ...saleOf(theirs), body: { version: 1 } }) },
  },
  'sales/[saleId]/limits': {
    PATCH: { roles: CHANGERS, own: (theirs) => ({ ...saleOf(theirs), body: {} }) },
  },
  'sales/[saleId]/stock': {
    POST: { roles: CHANGERS, own: (theirs) => ({ ...saleOf(theirs), body: { delta: 1, reason: 'x' } }) },
  },
  'sales/[saleId]/reconcile': {
    GET: { roles: EVERYBODY, own: saleOf },
    POST: { roles: CHANGERS, own: saleOf },
  },
  'sales/[saleId]/reconcile/reports': { GET: { roles: EVERYBODY, own: saleOf } },
  // lib/reconcile/list-reports.integration.test.ts checks that only the owner finds a sale's reports.
  'sales/[saleId]/reconcile/reports/[reportId]': { GET: { roles: EVERYBODY, own: null } },
  'sales/[saleId]/close': { POST: { roles: CHANGERS, own: saleOf } },
  setup: { GET: { roles: ADMINS } },
  'setup/test': { POST: { roles: ADMINS } },
  shops: { GET: { roles: EVERYBODY, own: ({ shopId }) => ({ shows: shopId }) } },
  'shops/[shopId]': {
    GET: { roles: EVERYBODY, own: shopOf },
    PATCH: {
      roles: SHOP_LEADERS,
      own: (theirs) => ({ ...shopOf(theirs), body: { name: 'Other', version: 1 } }),
    },
  },
  'shops/[shopId]/invitations': {
    POST: {
      roles: SHOP_LEADERS,
      own: (theirs) => ({ ...shopOf(theirs), body: { email: 'new@example.com', role: 'viewer' } }),
    },
  },
  'shops/[shopId]/invitations/[invitationId]/withdraw': {
    POST: {
      roles: SHOP_LEADERS,
      own: ({ shopId }) => ({ params: { shopId, invitationId: 'invitation_none' } }),
    },
  },
  'shops/[shopId]/members/[userId]': {
    PATCH: {
      roles: SHOP_LEADERS,
      own: (theirs) => ({ ...memberOf(theirs), body: { role: 'viewer' } }),
    },
  },
  'shops/[shopId]/members/[userId]/remove': { POST: { roles: SHOP_LEADERS, own: memberOf } },
  'sync-failures': { GET: { roles: EVERYBODY, own: ({ saleId }) => ({ shows: saleId }) } },
  switchboard: { GET: { roles: WATCHERS } },
  'switchboard/[feature]': { PATCH: { roles: OPERATORS } },
  // lib/order/admin/takings.integration.test.ts checks that sums cover only the merchant's own sales.
  takings: { GET: { roles: EVERYBODY, own: null } },
  'takings/export': { GET: { roles: EVERYBODY, own: null } },
  users: { GET: { roles: ADMINS } },
  'users/[userId]': { PATCH: { roles: ADMINS } },
  'users/[userId]/ban': { POST: { roles: ADMINS } },
  'users/[userId]/remove-factors': { POST: { roles: ADMINS } },
  'users/[userId]/revoke-sessions': { POST: { roles: HELPERS } },
  'users/[userId]/unban': { POST: { roles: ADMINS } },
};

/**
 * Lists by hand what a member of a shop has to be allowed to do for each call that changes something of it, or takes
 * personal data away. Every member may look at the rest.
 */
const ACTS: Record<string, ShopAct> = {
  'POST alerts/[id]/acknowledge': 'work',
  // This one asks for more stock.
  'POST approvals/[id]/approve': 'stock',
  'POST approvals/[id]/reject': 'stock',
  'POST dead-letters/retry': 'work',
  'POST dead-letters/[id]/retry': 'work',
  'POST dead-letters/[id]/discard': 'work',
  'GET orders/export': 'export',
  'GET orders/parcels/export': 'export',
  'POST orders/shipments': 'work',
  'PATCH orders/[orderNo]': 'refunds',
  'POST orders/[orderNo]/refund': 'refunds',
  'POST orders/[orderNo]/refund-parts': 'refunds',
  'POST orders/[orderNo]/cancel': 'refunds',
  'POST media': 'settings',
  'POST orders/[orderNo]/delivery': 'work',
  'GET orders/[orderNo]/address': 'work',
  'POST campaigns': 'settings',
  'PATCH campaigns/[campaignId]': 'settings',
  'POST campaigns/[campaignId]/archive': 'settings',
  'POST campaigns/[campaignId]/reopen': 'settings',
  'POST products': 'settings',
  'POST products/import': 'settings',
  'PATCH products/[productId]': 'settings',
  'POST products/[productId]/archive': 'settings',
  'POST products/[productId]/reopen': 'settings',
  'POST queues/messages/[id]/retry': 'work',
  'POST sales': 'settings',
  'PATCH sales/[saleId]': 'settings',
  'POST sales/[saleId]/rehearsals': 'settings',
  'POST sales/[saleId]/publish': 'settings',
  'POST sales/[saleId]/pause': 'settings',
  'POST sales/[saleId]/resume': 'settings',
  'POST sales/[saleId]/waitlist/close': 'settings',
  'POST sales/[saleId]/waitlist/open': 'settings',
  'PATCH sales/[saleId]/line': 'settings',
  'PATCH sales/[saleId]/limits': 'settings',
  'POST sales/[saleId]/stock': 'stock',
  'POST sales/[saleId]/reconcile': 'work',
  'POST sales/[saleId]/close': 'settings',
  'PATCH shops/[shopId]': 'members',
  'POST shops/[shopId]/invitations': 'members',
  'POST shops/[shopId]/invitations/[invitationId]/withdraw': 'members',
  'PATCH shops/[shopId]/members/[userId]': 'members',
  'POST shops/[shopId]/members/[userId]/remove': 'members',
};

/** Members of a shop besides its owner, with what each may do. */
const TEAM: { name: string; role: ShopRole; topics: ShopTopic[]; may: ShopAct[] }[] = [
  { name: 'a viewer', role: 'viewer', topics: ['refunds', 'stock', 'settings'], may: ['see'] },
  {
    name: 'an editor',
    role: 'editor',
    topics: ['refunds', 'stock', 'settings'],
    may: ['see', 'work', 'export', 'refunds', 'stock', 'settings'],
  },
  {
    name: 'an editor for refunds',
    role: 'editor',
    topics: ['refunds'],
    may: ['see', 'work', 'export', 'refunds'],
  },
  { name: 'an editor for stock', role: 'editor', topics: ['stock'], may: ['see', 'work', 'export', 'stock'] },
  {
    name: 'an editor for settings',
    role: 'editor',
    topics: ['settings'],
    may: ['see', 'work', 'export', 'settings'],
  },
];

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('route.ts'))
  .map((file) => file.slice(0, -'/route.ts'.length))
  .sort();

type Handler = (request: Request, context: never) => Promise<Response>;

async function handlersOf(path: string): Promise<Partial<Record<Method | 'OPTIONS', Handler>>> {
  return import(join(import.meta.dirname, path, 'route.ts'));
}
async function handlerOf(path: string, method: Method): Promise<Handler> {
  const handler = (await handlersOf(path))[method];
  if (!handler) throw new Error(`${path} has no ${method}`);
  return handler;
}
const all = Object.entries(ENDPOINTS).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, endpoint]) => ({ path, method: method as Method, ...endpoint })),
);
const called = all.map((each) => [`${each.method} ${each.path}`, each] as const);
const codeOf = (text: string): unknown => JSON.parse(text).code;

let sessions: Record<Role, string>;
let theirs: Theirs;
let owner: string;
let stranger: string;

/** Makes a merchant with a shop, and one of everything in it. */
async function makeTheirs(): Promise<Theirs> {
  const { saleId, orderNo, userId } = await createOrderFixture();
  const { merchantId, productId } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  await db().user.update({ where: { id: merchantId }, data: { role: 'merchant' } });
  const letter = {
    consumer: 'release-unpaid',
    messageId: newId('m'),
    saleId,
    payload: {},
    error: 'x',
    attempts: 1,
  };
  await recordDeadLetter(letter);
  await db().$executeRaw`
    INSERT INTO sync_failures (kind, name, subject, since, attempts, error, expires_at)
    VALUES ('cdn', ${`page ${saleId}`}, ${saleId}, now(), 1, 'x', now() + interval '1 hour')`;
  const { id } = await db().deadLetter.findFirstOrThrow({ where: { saleId } });
  const asked = await requestApproval(
    { userId: 'user_somebody_else', role: 'operator' },
    { kind: 'stock_increase', saleId, delta: 1, reason: 'x' },
  );
  const { approvalId } = asked;
  const alert = { value: 1, peak: 1, threshold: 0, since: new Date(), firedAt: new Date() };
  const fired = await db().alert.create({
    data: { rule: 'held_overdue', subject: saleId, saleId, state: 'firing', ...alert },
  });
  const waiting = await db().outgoingMessage.create({
    data: { topic: 'mail', payload: { saleId, orderNo }, attempts: 1, lastError: 'x' },
  });
  const campaignId = newId('camp');
  const slug = campaignId.replaceAll('_', '-');
  await db().campaign.create({ data: { id: campaignId, merchantId, slug, title: 'Lanterns' } });
  const ids = {
    campaignId,
    deadLetterId: String(id),
    alertId: String(fired.id),
    messageId: String(waiting.id),
  };
  const { userId: memberId } = await makeMember(merchantId);
  return { saleId, productId, orderNo, approvalId, userId, shopId: merchantId, memberId, ...ids };
}

beforeAll(async () => {
  const made = await Promise.all(
    ROLES.map(async (role) => [role, await sessionOf((await makeUser(role)).userId)] as const),
  );
  sessions = Object.fromEntries(made) as Record<Role, string>;
  theirs = await makeTheirs();
  owner = await sessionOf(theirs.shopId);
  stranger = sessions.merchant;
});
afterAll(async () => {
  await closeRedis();
  await closeDb();
});

describe('who may do what in the admin area', () => {
  it('[L4] is written down for every endpoint there is', async () => {
    expect(Object.keys(ENDPOINTS).sort()).toEqual(files);
    for (const path of files) {
      const options = await (await handlersOf(path)).OPTIONS?.(new Request('http://shop.test/'), {} as never);
      const served = options?.headers.get('allow')?.split(', ') ?? [];
      const known = served.filter((method) => method !== 'HEAD' && method !== 'OPTIONS').sort();
      expect(Object.keys(ENDPOINTS[path] ?? {}).sort(), path).toEqual(known);
    }
    // An endpoint for merchants can touch another merchant's things: an author who adds one has to say how.
    for (const { path, method, roles, own } of all)
      expect(own !== undefined, `${method} ${path}`).toBe(roles.includes('merchant'));
  });

  it.each(called)('[L4] %s', async (_, { path, method, roles }) => {
    const handler = await handlerOf(path, method);
    const names = [...path.matchAll(/\[(\w+)\]/g)].map(([, name = '']) => name);
    const params = Object.fromEntries(names.map((name) => [name, '999999999']));
    const unsigned = await callWith(null, handler, { method, params });
    expect([unsigned.status, codeOf(await unsigned.text())]).toEqual([401, 'UNAUTHENTICATED']);
    for (const role of ROLES) {
      const answer = await callWith(sessions[role], handler, { method, params });
      const text = await answer.text();
      // Whatever the answer says, no browser and no cache may keep it.
      expect(answer.headers.get('cache-control'), `${role}: ${text}`).toContain('no-store');
      if (roles.includes(role)) {
        expect([401, 403], `${role}: ${text}`).not.toContain(answer.status);
        expect(answer.status, `${role}: ${text}`).toBeLessThan(500);
      } else expect([role, answer.status, codeOf(text)]).toEqual([role, 403, 'FORBIDDEN']);
    }
    if (method === 'GET') return;
    const foreign = await callWith(sessions.admin, handler, { method, params, isSameOrigin: false });
    expect([foreign.status, codeOf(await foreign.text())]).toEqual([403, 'CSRF']);
  });
});

async function ask(session: string, { path, method, own }: (typeof all)[number], things = theirs) {
  const { refusal = 404, shows, ...call } = own?.(things) ?? {};
  const answer = await callWith(session, await handlerOf(path, method), { method, ...call });
  expect(answer.headers.get('cache-control'), path).toContain('no-store');
  return { status: answer.status, text: await answer.text(), refusal, shows };
}

describe("another merchant's", () => {
  const owned = called.filter(([, { own }]) => own);
  it('[L4] things answer no call, and nothing happens to them', async () => {
    const stand = () =>
      Promise.all([
        db().sale.findUniqueOrThrow({ where: { id: theirs.saleId } }),
        db().product.findUniqueOrThrow({ where: { id: theirs.productId } }),
        db().deadLetter.findMany(),
        db().order.findMany(),
        db().approval.findMany(),
        db().shop.findMany(),
        db().shopMember.findMany(),
        db().invitation.findMany(),
        // The audit log has an entry when a merchant reads their own things. Nothing may have happened to another
        // merchant's.
        db().auditEntry.count({ where: { action: { not: 'export.download' } } }),
      ]);
    const before = await stand();
    for (const [name, endpoint] of owned) {
      const { status, text, refusal, shows } = await ask(stranger, endpoint);
      if (shows === undefined) expect([name, status], text).toEqual([name, refusal]);
      else expect([name, status, text.includes(shows)]).toEqual([name, 200, false]);
    }
    expect(await stand()).toEqual(before);
  });

  // All in one test, in the table's order: the last calls end what the first calls read.
  it('[L4] calls were right: their owner is answered', async () => {
    for (const [name, endpoint] of owned) {
      const { status, text, refusal, shows } = await ask(owner, endpoint);
      expect([name, status, 'is refused'], text).not.toEqual([name, refusal, 'is refused']);
      expect([200, 201, 202, 409], `${name} ${status} ${text}`).toContain(status);
      if (shows !== undefined) expect([name, text.includes(shows)], text).toEqual([name, true]);
    }
  });
});

/** Calls that change nothing and take more than seeing. */
const PERSONAL = ['GET orders/export', 'GET orders/parcels/export', 'GET orders/[orderNo]/address'];

describe('[L4] of a shop', () => {
  it('what a member must be allowed to do is written down for every call that changes something', () => {
    const changing = called.filter(
      ([name, { own, method }]) => own !== undefined && (method !== 'GET' || PERSONAL.includes(name)),
    );
    expect(changing.map(([name]) => name).sort()).toEqual(Object.keys(ACTS).sort());
  });

  // In the table's order: the last calls end what the first calls read. What is refused changes nothing.
  it.each(TEAM)('$name sees everything and does what is theirs to do', async ({ role, topics, may }) => {
    const things = await makeTheirs();
    const { userId } = await makeMember(things.shopId, role, topics);
    const session = await sessionOf(userId);
    for (const [name, endpoint] of called.filter(([name, { own }]) => own || name in ACTS)) {
      const { status, text, refusal, shows } = await ask(session, endpoint, things);
      if (!may.includes(ACTS[name] ?? 'see')) {
        // A product or campaign that is none is refused before the shop is looked at.
        if (endpoint.own === null) expect([403, 422], name).toContain(status);
        else expect([name, status, codeOf(text)]).toEqual([name, 403, 'FORBIDDEN']);
        continue;
      }
      expect([name, status, 'is refused'], text).not.toEqual([name, refusal, 'is refused']);
      expect([200, 201, 202, 409, 422], `${name} ${status} ${text}`).toContain(status);
      if (shows !== undefined) expect([name, text.includes(shows)], text).toEqual([name, true]);
    }
  });

  it('nothing answers who was taken out of it, from the next request on', async () => {
    const things = await makeTheirs();
    const { shopId, memberId } = things;
    const session = await sessionOf(memberId);
    // As a member of another shop they stay in the admin area.
    const { userId: otherId } = await makeUser('merchant');
    await db().shopMember.create({
      data: { shopId: otherId, userId: memberId, role: 'owner', addedBy: otherId },
    });
    const [, read] = called.find(([name]) => name === 'GET sales/[saleId]') ?? [];
    if (!read) throw new Error('no such endpoint');
    expect((await ask(session, read, things)).status).toBe(200);
    await db().shopMember.delete({ where: { shopId_userId: { shopId, userId: memberId } } });
    for (const [name, endpoint] of called.filter(([, { own }]) => own)) {
      const { status, text, refusal, shows } = await ask(session, endpoint, things);
      if (shows === undefined) expect([name, status], text).toEqual([name, refusal]);
      else expect([name, status, text.includes(shows)]).toEqual([name, 200, false]);
    }
  });
});

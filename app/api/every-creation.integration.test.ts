import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failStatements, underFault } from '@/inngest/functions/testing/fail-statements';
import { beginPasskey } from '@/lib/access/begin-passkey';
import { inviteStaff } from '@/lib/access/invite-staff';
import { userOfSession } from '@/lib/account/current-user';
import type { CurrentUser } from '@/lib/account/types';
import { requestApproval } from '@/lib/approval/request-approval';
import { AREAS, idOf } from '@/lib/contract/areas';
import type { Operation } from '@/lib/contract/operation';
import { SALE_STRATEGIES, type SaleStrategy } from '@/lib/contract/words/sale';
import { closeDb, db } from '@/lib/db/client';
import { ADDRESS } from '@/lib/delivery/testing/parcel-order';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { env } from '@/lib/env';
import type { ErrorCode } from '@/lib/errors/codes';
import { newId } from '@/lib/ids/new-id';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { recordDeadLetter } from '@/lib/outbox/record-dead-letter';
import { signWebhook } from '@/lib/payment/providers/sandbox/sign-webhook';
import { createProduct } from '@/lib/product/admin/create-product';
import { createOrderFixture } from '@/lib/purchase/testing/order-fixture';
import { charge, payFor } from '@/lib/purchase/testing/pay-for';
import { buy } from '@/lib/purchase/testing/sale-fixture';
import { decideWaiting } from '@/lib/queue-strategy/decide-waiting';
import { listQueues } from '@/lib/queue-strategy/list-queues';
import { closeRedis } from '@/lib/redis/client';
import { writeReservations } from '@/lib/reservation/write-reservations';
import { confirmPaid } from '@/lib/settlement/confirm-paid';
import { readStock } from '@/lib/stock/read-stock';
import { soldOut } from '@/lib/waitlist/testing/waitlist-fixture';
import { type Call, callWith, sessionOf } from '@/test/support/call-as';
import { createLineSale } from '@/test/support/line-sale';
import { makeVerified, PASSWORD } from '@/test/support/make-account';
import { makeDraft, makeSale, makeUser } from '@/test/support/make-sale';
import { cases } from '@/test/support/random';
import { reservable } from '@/test/support/reservable';
import { softPasskey } from '@/test/support/soft-passkey';

type Content = Omit<Call, 'method'>;

/** A request whose thing is not made yet. */
type Prepared = Content & {
  session: string | null;
  /** Counts what requests of this content have made. */
  made: () => Promise<number>;
  /** The answer to a repetition where it is not the first answer, as the operation says. */
  again?: ErrorCode;
  /** Fields of the answer that say how things are now, or that only the latest answer has. */
  besides?: readonly string[];
  /** The same key with another content, and how it is refused. */
  otherwise?: { content: Content; code: ErrorCode };
};

/** One of each class that blames the server. */
const LACKS = ['25006', '57014', '53300', '40001', '28P01'];
/** The gate tries one with each creation, in turn; `test:all` tries all. */
const lacksOf = (at: number) =>
  cases(1) > 1 ? LACKS : LACKS.slice(at % LACKS.length, (at % LACKS.length) + 1);

const HOUR_MS = 3_600_000;
const newSlug = () => newId('thing').replaceAll('_', '-');
const newEmail = () => `${newId('e')}@example.com`;
const newKey = () => newId('key');

async function signedIn(role: Parameters<typeof makeUser>[0]) {
  const actor = await makeUser(role);
  return { actor, session: await sessionOf(actor.userId) };
}

/** Signs the merchant of a sale in. */
async function merchantOf(saleId: string): Promise<string> {
  const { merchantId } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  await db().user.update({ where: { id: merchantId }, data: { role: 'merchant' } });
  return sessionOf(merchantId);
}

/** A body under a key of the client's own, and the same key with another one. */
function keyed(body: object, changes: object, code: ErrorCode = 'CREATED_OTHERWISE', params = {}) {
  const own = { ...body, requestId: newKey() };
  return { params, body: own, otherwise: { content: { params, body: { ...own, ...changes } }, code } };
}

async function newSale(): Promise<Prepared> {
  const { actor, session } = await signedIn('merchant');
  const product = await createProduct(actor, { slug: newSlug(), name: 'Lamp', description: '' });
  if (product.status !== 'created') throw new Error(product.status);
  const body = {
    productId: product.product.productId,
    title: 'Lamps',
    priceMinor: 100,
    currency: 'EUR',
    totalStock: 1,
    limitPerUser: 1,
    startsAt: Date.now() + HOUR_MS,
    endsAt: Date.now() + 2 * HOUR_MS,
    paymentWindowSec: 900,
  };
  const made = () => db().sale.count({ where: { merchantId: actor.userId } });
  return { session, made, ...keyed(body, { title: 'Other' }) };
}

async function moreUnits(delta: number): Promise<Prepared> {
  const { sale, merchant } = await makeSale();
  const { saleId } = sale;
  const isLarge = delta > 10_000;
  return {
    session: await sessionOf(merchant.userId),
    made: async () =>
      isLarge
        ? db().approval.count({ where: { saleId } })
        : ((await db().sale.findUniqueOrThrow({ where: { id: saleId } })).totalStock - 10) / delta,
    besides: ['stock'],
    ...keyed(
      { delta, reason: 'found more' },
      { delta: delta + 1 },
      isLarge ? 'APPROVAL_PENDING' : 'CREATED_OTHERWISE',
      { saleId },
    ),
  };
}

async function paidOrder(priceMinor: number) {
  const { orderNo, saleId } = await createOrderFixture({ priceMinor });
  await payFor(orderNo);
  await confirmPaid([{ saleId, orderNo }]);
  return { orderNo, saleId };
}

async function partOf(amountMinor: number): Promise<Prepared> {
  const { orderNo, saleId } = await paidOrder(2 * amountMinor);
  return {
    session: await merchantOf(saleId),
    besides: ['serverTime'],
    made: async () =>
      (await db().approval.count({ where: { subjectId: orderNo } })) +
      (await db().refundPart.count({ where: { saleId } })),
    ...keyed(
      { amountMinor, reason: 'scratched' },
      { amountMinor: amountMinor + 1 },
      amountMinor > 1_000_000 ? 'APPROVAL_PENDING' : 'CREATED_OTHERWISE',
      { orderNo },
    ),
  };
}

async function refundOf(priceMinor: number): Promise<Prepared> {
  const { orderNo, saleId } = await paidOrder(priceMinor);
  return {
    session: await merchantOf(saleId),
    params: { orderNo },
    body: { reason: 'scratched', returnStock: true },
    besides: ['serverTime'],
    made: async () =>
      (await db().approval.count({ where: { subjectId: orderNo } })) +
      (await db().auditEntry.count({ where: { action: 'order.refund', subjectId: orderNo } })),
  };
}

/** Decides what waits in a sale's queue, as a worker does. */
async function decideQueue(saleId: string): Promise<void> {
  const queue = (await listQueues()).find((each) => each.saleId === saleId);
  if (queue) while ((await decideWaiting(queue)) > 0);
}

const tokenFor = (saleId: string, userId: string) => ({
  'x-entry-token': signEntryToken({
    userId,
    saleId,
    level: 0,
    jti: newId('jti'),
    expiresAt: Date.now() + HOUR_MS,
    device: '',
  }),
});

async function purchaseBy(strategy: SaleStrategy): Promise<Prepared> {
  const { sale } = await makeSale({ strategy, limitPerUser: 3 });
  const { saleId } = sale;
  const row = () => db().sale.findUniqueOrThrow({ where: { id: saleId } });
  const content = {
    params: { saleId, gate: (await row()).gate },
    headers: tokenFor(saleId, (await makeUser()).userId),
  };
  return {
    session: null,
    ...content,
    made: async () => {
      if (strategy === 'queue') await decideQueue(saleId);
      if (strategy === 'database') return (await row()).heldStock;
      return (await readStock(saleId))?.held ?? 0;
    },
    besides: ['replay'],
    otherwise: { content: { ...content, body: { quantity: 2 } }, code: 'IDEMPOTENCY_MISMATCH' },
  };
}

async function placeIn(admission: 'waiting_room' | 'draw'): Promise<Prepared> {
  const { saleId, userIds } = await createLineSale({
    users: 1,
    waitlist: admission === 'draw',
    data: { admission },
  });
  return {
    session: await sessionOf(userIds[0] ?? ''),
    params: { saleId },
    body: { nonce: Buffer.alloc(16, 7).toString('base64url') },
    made: () => db().lineEntry.count({ where: { saleId } }),
  };
}

async function newPasskey(): Promise<Prepared> {
  const { id } = await makeVerified();
  const session = await sessionOf(id);
  const user = (await userOfSession(session)) as CurrentUser;
  const caller = { address: '198.51.100.7', headers: new Headers() };
  const begun = await beginPasskey(user, { currentPassword: PASSWORD }, caller);
  if (begun.status !== 'begun') throw new Error(begun.status);
  const { origin, hostname } = new URL(env().publicUrl);
  const passkey = softPasskey({ origin, rpId: hostname }).make(begun.wish);
  return {
    session,
    headers: { cookie: begun.setCookie.split(';', 1)[0] as string },
    body: { name: 'My phone', passkey },
    made: () => db().passkey.count({ where: { userId: id } }),
    again: 'PASSKEY_WRONG',
  };
}

type Creation = [operation: string, thing: string, prepare: () => Promise<Prepared>];

/** Every operation that makes something. */
const CREATIONS: Creation[] = [
  ['createSale', 'draft', newSale],
  [
    'createProduct',
    'product',
    async () => {
      const { actor, session } = await signedIn('merchant');
      const made = () => db().product.count({ where: { merchantId: actor.userId } });
      return {
        session,
        made,
        ...keyed({ slug: newSlug(), name: 'Lamp', description: '' }, { name: 'Other' }),
      };
    },
  ],
  [
    'importProducts',
    'product and draft',
    async () => {
      const { actor, session } = await signedIn('merchant');
      const merchantId = actor.userId;
      const hours = [1, 2].map((hours) => new Date(Date.now() + hours * HOUR_MS).toISOString());
      const csv = `slug,name,sale,price,currency,stock,starts_at,ends_at\n${newSlug()},Lamp,Lamps,5,EUR,1,${hours}`;
      return {
        session,
        body: { csv },
        besides: ['products'],
        made: async () =>
          ((await db().product.count({ where: { merchantId } })) +
            (await db().sale.count({ where: { merchantId } }))) /
          2,
      };
    },
  ],
  [
    'createCampaign',
    'campaign',
    async () => {
      const { actor, session } = await signedIn('merchant');
      const body = { slug: newSlug(), title: 'Autumn', description: '', limitPerUser: 2 };
      const made = () => db().campaign.count({ where: { merchantId: actor.userId } });
      return { session, made, ...keyed(body, { title: 'Other' }) };
    },
  ],
  [
    'createRule',
    'rule',
    async () => {
      const { actor, session } = await signedIn('operator');
      const definition = {
        metric: 'accounts',
        subject: 'ip',
        windowSec: 60,
        comparison: 'above',
        threshold: 9,
        action: { kind: 'block', forSec: 60 },
      };
      const made = () => db().riskRule.count({ where: { changedBy: actor.userId } });
      return { session, made, ...keyed({ name: 'Many', definition, state: 'dry_run' }, { name: 'Other' }) };
    },
  ],
  ['changeStock', 'increase', () => moreUnits(5)],
  ['changeStock', 'increase for two people', () => moreUnits(20_000)],
  ['refundOrder', 'refund', () => refundOf(1_999)],
  ['refundOrder', 'refund for two people', () => refundOf(2_000_000)],
  ['refundOrderPart', 'part', () => partOf(1_999)],
  ['refundOrderPart', 'part for two people', () => partOf(2_000_000)],
  [
    'approveRequest',
    'increase',
    async () => {
      const [{ sale, merchant }, { session }] = await Promise.all([makeSale(), signedIn('operator')]);
      const { saleId } = sale;
      const request = { kind: 'stock_increase', saleId, delta: 7, reason: 'more' } as const;
      const { approvalId } = await requestApproval(merchant, request);
      return {
        session,
        params: { id: approvalId },
        made: async () =>
          ((await db().sale.findUniqueOrThrow({ where: { id: saleId } })).totalStock - 10) / 7,
        again: 'APPROVAL_DECIDED',
      };
    },
  ],
  [
    'requestRehearsal',
    'rehearsal',
    async () => {
      const { sale, merchant } = await makeDraft();
      return {
        session: await sessionOf(merchant.userId),
        params: { saleId: sale.saleId },
        body: { shoppers: 10 },
        made: () => db().rehearsal.count({ where: { saleId: sale.saleId } }),
      };
    },
  ],
  [
    'addBlock',
    'block',
    async () => {
      const value = newId('dev');
      return {
        session: (await signedIn('operator')).session,
        body: { kind: 'device', value, reason: 'a bot' },
        made: () => db().block.count({ where: { value } }),
      };
    },
  ],
  [
    'importBlocks',
    'block',
    async () => {
      const value = newId('dev');
      return {
        session: (await signedIn('operator')).session,
        body: { csv: `kind,value,reason,expires_at\ndevice,${value},a bot,\n` },
        made: () => db().block.count({ where: { value } }),
      };
    },
  ],
  [
    'banUser',
    'block',
    async () => {
      const [{ session }, { userId }] = await Promise.all([signedIn('admin'), makeUser()]);
      return {
        session,
        params: { userId },
        body: { reason: 'a bot' },
        made: () => db().block.count({ where: { value: userId } }),
      };
    },
  ],
  [
    'inviteStaff',
    'link that is good',
    async () => {
      const email = newEmail();
      return {
        session: (await signedIn('admin')).session,
        body: { email, role: 'support' },
        made: () => db().invitation.count({ where: { email, usedAt: null, withdrawnAt: null } }),
        besides: ['url', 'expiresAt'],
      };
    },
  ],
  [
    'acceptInvitation',
    'account',
    async () => {
      const email = newEmail();
      const invited = await inviteStaff({ email, role: 'support', invitedBy: 'command' });
      if (invited.status !== 'invited') throw new Error(invited.status);
      const token = new URL(invited.url).hash.slice(1);
      return {
        session: null,
        body: { token, password: PASSWORD, name: 'Sue' },
        made: () => db().user.count({ where: { email } }),
        again: 'INVITATION_INVALID',
      };
    },
  ],
  [
    'register',
    'account',
    async () => {
      const email = newEmail();
      return {
        session: null,
        body: { email, password: PASSWORD, name: 'Sue' },
        made: () => db().user.count({ where: { email } }),
        again: 'EMAIL_TAKEN',
      };
    },
  ],
  [
    'addAddress',
    'address',
    async () => {
      const { actor, session } = await signedIn('shopper');
      const made = () => db().savedAddress.count({ where: { userId: actor.userId } });
      return { session, made, ...keyed({ address: ADDRESS }, { address: { ...ADDRESS, name: 'Ben' } }) };
    },
  ],
  ['addPasskey', 'passkey', newPasskey],
  [
    'retryDeadLetter',
    'message',
    async () => {
      const orderNo = newId('order');
      const letter = { messageId: newId('m'), payload: { userId: 'u', orderNo }, error: 'x', attempts: 10 };
      await recordDeadLetter({ ...letter, consumer: 'mail' });
      const { id } = await db().deadLetter.findFirstOrThrow({ where: { messageId: letter.messageId } });
      return {
        session: (await signedIn('admin')).session,
        params: { id: String(id) },
        made: () =>
          db().outgoingMessage.count({ where: { payload: { path: ['orderNo'], equals: orderNo } } }),
        again: 'DEAD_LETTER_STATE',
      };
    },
  ],
  [
    'reserve',
    'reservation',
    async () => {
      const [{ saleId }, { session }] = await Promise.all([reservable(), signedIn('shopper')]);
      return {
        session,
        params: { saleId },
        made: async () => {
          await writeReservations();
          return db().reservation.count({ where: { saleId } });
        },
      };
    },
  ],
  ['joinLine', 'place in a waiting room', () => placeIn('waiting_room')],
  ['joinLine', 'place in a draw', () => placeIn('draw')],
  ...SALE_STRATEGIES.map(
    (strategy): Creation => ['purchase', `purchase, ${strategy}`, () => purchaseBy(strategy)],
  ),
  [
    'joinWaitlist',
    'place',
    async () => {
      const sale = await soldOut();
      const [owner = '', userId = ''] = sale.userIds;
      const { saleId } = sale;
      await buy(sale, owner);
      return {
        session: null,
        params: { saleId },
        headers: tokenFor(saleId, userId),
        made: () => db().waitlistEntry.count({ where: { saleId } }),
      };
    },
  ],
  [
    'payOrder',
    'payment',
    async () => {
      const { orderNo, userId } = await createOrderFixture();
      return {
        session: await sessionOf(userId),
        params: { orderNo },
        made: () => db().payment.count({ where: { orderId: BigInt(orderNo), openedAt: { not: null } } }),
      };
    },
  ],
  [
    'receivePayment',
    'payment',
    async () => {
      const { orderNo } = await createOrderFixture();
      const { paymentId, amountMinor, currency } = await charge(orderNo);
      const body = { type: 'payment.succeeded', data: { paymentId, amountMinor, currency } };
      return {
        session: null,
        params: { provider: 'sandbox' },
        body,
        headers: signWebhook(newId('msg'), JSON.stringify(body)),
        made: () => db().paymentEvent.count({ where: { paymentId } }),
        besides: ['outcome'],
      };
    },
  ],
];

/** Other operations that send something, and why a repetition makes nothing. */
const CANT_HURT: Record<string, string> = {
  ...all('answers a question', 'dryRunRule lookAtInvitation'),
  ...all(
    'a credential for one use, asked for as often as somebody wants; it buys and opens nothing by itself',
    'askForChallenge enter',
  ),
  ...all(
    'a mail, asked for again on purpose; its link replaces the one before, and waits limit how many there are',
    'sendVerification askEmailChange askPasswordReset inviteMember',
  ),
  ...all(
    'redeems what is good once, or sets what is set already',
    'verifyEmail confirmEmailChange stopEmailChange resetPassword changePassword markRead confirmTotp removeTotp',
    'removePasskey confirmAgain chooseLanguage chooseTimeZone muteMails stopMails returnMail',
  ),
  ...all(
    'secrets that are shown once, and replace those before on purpose; codes for them are good once',
    'beginTotp renewRecoveryCodes',
  ),
  ...all('a question that is stored nowhere', 'askPasskey beginPasskey joinIdentity'),
  ...all(
    'ends what has ended',
    'removeFactors removeIdentity endSession signOutEverywhere deleteAccount revokeSessions cancelOrder cancelManagedOrder',
    'withdrawInvitation removeMember',
  ),
  ...all(
    'moves a sale, product, parcel, campaign, block, message or alert into a state, where it is already',
    'moveDelivery importShipments publishSale pauseSale resumeSale closeSale closeWaitlist openWaitlist archiveCampaign reopenCampaign',
    'archiveProduct reopenProduct liftBlock unbanUser releaseHit retryMessage discardDeadLetter rejectRequest acknowledgeAlert',
  ),
  ...all('tries each letter as retryDeadLetter does', 'retryDeadLetters'),
  ...all('app/api/admin/media/media.integration.test.ts: the file is its own key', 'uploadMedia'),
  ...all('a report on the moment at which it is asked for', 'reconcileSale'),
  ...all('a mail or call to try it out, as often as the button is pressed', 'trySetup'),
  ...all('a mail, sent again on purpose; waits limit how many there are', 'sendPersonMail'),
  ...all(
    'app/api/payments/payments.integration.test.ts: however often the button is pressed',
    'paySandboxPayment declineSandboxPayment',
  ),
};

function all(reason: string, ...ids: string[]): Record<string, string> {
  return Object.fromEntries(ids.flatMap((line) => line.split(' ')).map((id) => [id, reason]));
}

const operations = new Map(AREAS.flatMap(({ operations }) => operations).map((each) => [idOf(each), each]));
const operationOf = (id: string): Operation => operations.get(id) as Operation;
const takesKey = ({ body }: Operation) =>
  'requestId' in ((body as { shape?: object } | undefined)?.shape ?? {});

type Answer = { status: number; retryAfter: string | null; body: Record<string, unknown> };

async function sender(id: string, { session }: Prepared) {
  const { path } = operationOf(id);
  const file = path
    .slice(1)
    .replaceAll('{', '[')
    .replaceAll('}', ']')
    .replace(/^api\//, '');
  const { POST } = await import(join(import.meta.dirname, file, 'route.ts'));
  return async (content: Content): Promise<Answer> => {
    const response = await callWith(session, POST, { ...content, method: 'POST' });
    const retryAfter = response.headers.get('retry-after');
    return { status: response.status, retryAfter, body: await response.json() };
  };
}

const isMade = (id: string, { status }: Answer) => String(status) in operationOf(id).answers;
const told = (answer: Answer, besides: readonly string[] = []) =>
  Object.fromEntries(Object.entries(answer.body).filter(([name]) => !besides.includes(name)));

beforeAll(failStatements);
afterAll(async () => {
  await releaseOrderNos();
  await Promise.all([closeRedis(), closeDb()]);
});

describe('every creation', () => {
  it('[P5] is here, or there is a reason why a repetition can’t hurt', () => {
    const creations = new Set(CREATIONS.map(([id]) => id));
    const posts = [...operations.values()].filter(({ method }) => method === 'POST').map(idOf);
    expect([...creations, ...Object.keys(CANT_HURT)].sort()).toEqual(posts.sort());
    for (const operation of operations.values())
      if (takesKey(operation) || '201' in operation.answers) expect(creations).toContain(idOf(operation));
  });

  it.each(CREATIONS)('[P5 F1] %s makes one %s although its first answer was lost', async (id, _, prepare) => {
    const request = await prepare();
    const send = await sender(id, request);
    expect(await request.made()).toBe(0);
    const first = await send(request);
    expect(isMade(id, first), JSON.stringify(first)).toBe(true);
    const again = await send(request);
    if (request.again) expect(again.body).toMatchObject({ code: request.again });
    else {
      expect(isMade(id, again), JSON.stringify(again)).toBe(true);
      expect(told(again, request.besides)).toEqual(told(first, request.besides));
    }
    expect(await request.made()).toBe(1);
    expect(request.otherwise !== undefined || !takesKey(operationOf(id))).toBe(true);
    if (!request.otherwise) return;
    const { content, code } = request.otherwise;
    expect((await send(content)).body).toMatchObject({ code });
    expect(operationOf(id).errors).toContain(code);
    expect(await request.made()).toBe(1);
  });

  it.each(CREATIONS)('[P5 F1] %s makes one %s of two presses at the same moment', async (id, _, prepare) => {
    const request = await prepare();
    const send = await sender(id, request);
    const both = await Promise.all([send(request), send(request)]);
    const made = both.filter((answer) => isMade(id, answer));
    const refused = both.filter((answer) => !isMade(id, answer));
    expect(made.length, JSON.stringify(both)).toBeGreaterThan(0);
    for (const answer of refused) expect(answer.body).toMatchObject({ code: request.again });
    const [one, ...others] = made.map((answer) => told(answer, request.besides));
    for (const other of others) expect(other).toEqual(one);
    expect(await request.made()).toBe(1);
  });

  it.each(CREATIONS.map((creation, at) => [...creation, lacksOf(at)] as const))(
    '[P1 J4] %s asks to come again for its %s whatever Postgres lacks',
    async (id, _, prepare, lacks) => {
      const request = await prepare();
      const send = await sender(id, request);
      for (const code of lacks) {
        let isOver = false;
        for (let failsAt = 1; !isOver; failsAt += 1) {
          const tried = await underFault({ code }, failsAt, () => send(request));
          if ('error' in tried) throw tried.error;
          isOver = tried.statements < failsAt;
          if (isMade(id, tried.value) || tried.value.body.code === request.again) continue;
          expect([code, failsAt, tried.value]).toMatchObject([
            code,
            failsAt,
            { status: 503, retryAfter: expect.stringMatching(/^\d+$/) },
          ]);
        }
      }
      expect(await request.made()).toBe(1);
    },
  );
});

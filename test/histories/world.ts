import type { Actor } from '@/lib/actor/actor';
import { db } from '@/lib/db/client';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { verifyEntryToken } from '@/lib/entry/verify-entry-token';
import { newId } from '@/lib/ids/new-id';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import type { RelayEvent } from '@/lib/outbox/types';
import type { PaymentEvent } from '@/lib/payment/records/types';
import { purchase } from '@/lib/purchase/purchase';
import { createSaleFixture } from '@/lib/purchase/testing/sale-fixture';
import type { Random } from '@/tools/harness/random';
import { aside } from './faults';

export type HistorySale = { saleId: string; gate: string; merchant: Actor };
type Told = { http: number; status?: string; code?: string; orderNo?: string; campaignLimit?: number };

/** A shopper's purchases with one entry token, and every answer to them. */
export type Press = {
  sale: HistorySale;
  userId: string;
  jti: string;
  token: string;
  quantity: number;
  /** 0 where the sale has no variants. */
  variant: number;
  told: Told[];
};

/** The subjects of a history, and the world outside the product: shoppers, provider, executor. */
export type World = {
  sales: HistorySale[];
  userIds: string[];
  presses: Press[];
  /** The provider's callbacks, told or not. */
  callbacks: { event: PaymentEvent; isTold: boolean }[];
  /** Events that the relay of messages has handed over. */
  events: { event: RelayEvent; isDone: boolean }[];
  /** Purchases that a relay has read, and may deliver at any time. */
  batches: { saleId: string; orders: AcceptedOrder[] }[];
  /** Shoppers' requests that got no answer. */
  unanswered: Set<() => Promise<unknown>>;
  /** Redis may lose what it was told, or hear of it late: then Postgres may have no room for an accepted purchase. */
  isRedisWrong: boolean;
};

/** Opens a world with these sales. */
export async function worldOf(saleIds: readonly string[], userIds: string[]): Promise<World> {
  const rows = await db().sale.findMany({ where: { id: { in: [...saleIds] } } });
  const sales = saleIds.map((saleId): HistorySale => {
    const row = rows.find(({ id }) => id === saleId);
    if (!row) throw new Error(`there is no sale ${saleId}`);
    return { saleId, gate: row.gate, merchant: { userId: row.merchantId, role: 'merchant' } };
  });
  const unanswered = new Set<() => Promise<unknown>>();
  return {
    sales,
    userIds,
    presses: [],
    callbacks: [],
    events: [],
    batches: [],
    unanswered,
    isRedisWrong: false,
  };
}

/** Opens a world with one sale that is open now. */
export async function openWorld(options: Parameters<typeof createSaleFixture>[0] = {}): Promise<World> {
  const { saleId, userIds } = await createSaleFixture({ users: 5, ...options });
  return worldOf([saleId], userIds);
}

/** The sale of a world that has one. */
export function saleOf({ sales: [sale] }: World): HistorySale {
  if (!sale) throw new Error('a world without a sale');
  return sale;
}

/** Asks as a page does: if no answer comes, once more when the faults have ended. */
export async function insist<T>({ unanswered }: World, ask: () => Promise<T>): Promise<T> {
  unanswered.add(ask);
  const answer = await ask();
  unanswered.delete(ask);
  return answer;
}

/** Signs a new entry token for a sale that asks for nothing else. */
export const tokenFor = (userId: string, { saleId }: HistorySale): string =>
  signEntryToken({
    userId,
    saleId,
    level: 0,
    jti: newId('jti'),
    expiresAt: Date.now() + 3_600_000,
    device: '',
  });

/** Presses the button with a token for the first time. */
export function press(
  world: World,
  sale: HistorySale,
  token: string,
  quantity = 1,
  variant = 0,
): Promise<string> {
  const entry = verifyEntryToken(token, sale.saleId, Date.now());
  if (entry.status !== 'valid') throw new Error(entry.status);
  const { userId, jti } = entry.claims;
  const one: Press = { sale, userId, jti, token, quantity, variant, told: [] };
  world.presses.push(one);
  return pressAgain(one);
}

/** Presses with the same token for the same. */
export async function pressAgain(one: Press): Promise<string> {
  const { saleId, gate } = one.sale;
  const body = JSON.stringify({ quantity: one.quantity, variant: one.variant });
  const reply = await purchase({ saleId, gate, entryToken: one.token, body, address: () => null });
  const told: Told = { http: reply.status, ...JSON.parse(reply.body.toString()) };
  one.told.push(told);
  return told.code ?? told.status ?? String(told.http);
}

/** Returns any order of the world's sales with one of these statuses. */
export function pickOrder({ sales }: World, random: Random, statuses: readonly string[]) {
  return aside(async () => {
    const orders = await db().order.findMany({
      where: { saleId: { in: sales.map(({ saleId }) => saleId) }, status: { in: [...statuses] } },
      include: { payment: true },
      orderBy: { id: 'asc' },
    });
    const order = orders[random.int(0, Math.max(0, orders.length - 1))];
    return order && { ...order, orderNo: String(order.id) };
  });
}

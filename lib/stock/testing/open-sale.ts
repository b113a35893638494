import { loadStock, type StockSnapshot } from '../load-stock';

export const HOUR_MS = 3_600_000;
export const GATE = 'gate_0123456789';

let count = 0;

/** Warms up a new sale that is open now: 10 units, limit 1, epoch 1, changed by `overrides`. @returns its id. */
export async function openSale(overrides: Partial<StockSnapshot> = {}): Promise<string> {
  count += 1;
  const saleId = overrides.saleId ?? `sale_${process.pid}_${count}`;
  const { status } = await loadStock({ ...snapshot(overrides), saleId });
  if (status !== 'loaded') throw new Error(`not loaded: ${status}`);
  return saleId;
}

function snapshot(overrides: Partial<StockSnapshot>): StockSnapshot {
  const total = overrides.total ?? 10;
  const startsAt = Date.now() - HOUR_MS;
  const defaults = {
    startsAt,
    endsAt: startsAt + 2 * HOUR_MS,
    paused: false,
    gate: GATE,
    limit: 1,
    epoch: 1,
  };
  return { saleId: '', ...defaults, total, available: total, held: 0, sold: 0, ...overrides };
}

// The number has no zeros inside, so that its last digits could be a number of their own.
let issued = 11_111;

/** Makes the parameters of a purchase by `userId`, with a new token and a new order number unless given. */
export function purchaseOf(saleId: string, userId: string, overrides: Record<string, unknown> = {}) {
  issued += 1;
  const fresh = { jti: `jti_${issued}`, orderNo: String(issued), quantity: 1, epoch: 1, gate: GATE };
  return { saleId, userId, ...fresh, ...overrides } as typeof fresh & { saleId: string; userId: string };
}

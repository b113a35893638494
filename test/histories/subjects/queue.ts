import { expect } from 'vitest';
import { isOutage } from '@/lib/errors/is-outage';
import { answerOrder } from '@/lib/order/answer-order';
import { decideWaiting } from '@/lib/queue-strategy/decide-waiting';
import { listQueues } from '@/lib/queue-strategy/list-queues';
import type { Subject } from '../history';
import { PRESSING } from '../life';
import { openWorld, type Press, saleOf, type World } from '../world';

/** A sale that puts purchases into a queue, which a worker decides in order. */
export const queue: Subject = {
  name: 'a sale with a queue',
  open: (random) => openWorld({ total: random.int(1, 3), limit: random.int(1, 2), strategy: 'queue' }),
  steps: {
    ...PRESSING,
    decide: [6, async (world) => (await decide(world)) || null],
    'ask for the order': [
      3,
      async ({ presses }, random) => (presses.length === 0 ? null : ask(random.pick(presses))),
    ],
  },
  tend: async (world) => {
    while ((await decide(world)) > 0);
  },
  async check({ presses }) {
    for (const one of presses)
      if (one.told.some(({ status }) => status === 'undecided'))
        expect(await askOrWait(one)).not.toBe('undecided');
  },
};

async function decide(world: World): Promise<number> {
  const own = (await listQueues()).find(({ saleId }) => saleId === saleOf(world).saleId);
  return own ? decideWaiting(own) : 0;
}

/** For a while after Redis was lost it is not known what was lost with it. */
const askOrWait = (one: Press) =>
  ask(one).catch((error: unknown) => {
    if (!isOutage(error)) throw error;
    return 'not known yet';
  });

/** Asks what became of a purchase; a queued order is a promise. */
async function ask({ sale: { saleId }, userId, told }: Press): Promise<string> {
  const orderNo = told.findLast(({ http }) => http === 202)?.orderNo;
  if (!orderNo) return 'no number';
  const { status: http, body } = await answerOrder({ userId, saleId }, orderNo);
  const { status, code } = JSON.parse(body.toString());
  if (http === 200 && status !== 'undecided') told.push({ http: 202, status: 'queued', orderNo });
  return code ?? status;
}

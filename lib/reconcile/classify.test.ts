import { expect, it } from 'vitest';
import type { Evidence } from '@/lib/verify/judge-purchase';
import { classify } from './classify';

/** A purchase that is held in Redis and found nowhere else. */
const lost = (isExecutorRemote: boolean, acceptedAgoMs: number): Evidence => ({
  orderNo: '7',
  userId: 'user_1',
  purchase: { jti: 'jti_1', orderNo: '7', quantity: 1, state: 'held' },
  order: undefined,
  whereabouts: { place: 'nowhere', acceptedAgoMs },
  epoch: 1,
  isExecutorRemote,
});

it('[E3 C8] a purchase found nowhere is sent again: at once, or after two minutes where an Inngest that we cannot search may have it', () => {
  const again = { status: 'different', difference: { kind: 'orphan_hold', repair: 'resend' } };
  expect(classify(lost(false, 0))).toMatchObject(again);
  expect(classify(lost(true, 119_000))).toEqual({ status: 'in_flight' });
  expect(classify(lost(true, 121_000))).toMatchObject(again);
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SIDE_FEATURES } from '@/lib/contract/words/side-feature';
import { closeDb, db } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { isOn, stopWatchingSwitchboard, watchSwitchboard } from '@/lib/switchboard/is-on';
import { sessionOf } from '@/test/support/call-as';
import { eventually } from '@/test/support/eventually';
import { makeSale, makeUser } from '@/test/support/make-sale';
import { switchboardOf } from '@/test/support/switchboard';
import { sendPurchase, tokenFor } from './testing/send-purchase';
import { type FastPathProcess, startFastPath } from './testing/start-fast-path';

/** A switch is in force everywhere within this time. */
const WITHIN_MS = 1_000;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

let web: FastPathProcess;
let operator = '';
let sale: Awaited<ReturnType<typeof makeSale>>['sale'];
let gate = '';
const { find, set, setAll } = switchboardOf(() => operator);

beforeAll(async () => {
  await watchSwitchboard();
  operator = await sessionOf((await makeUser('operator')).userId);
  ({ sale } = await makeSale({ totalStock: 1_000 }));
  ({ gate } = await db().sale.findUniqueOrThrow({ where: { id: sale.saleId } }));
  web = await startFastPath({ env: { SHED_ABOVE: 'off' } });
});
afterAll(async () => {
  await web?.stop();
  stopWatchingSwitchboard();
  await Promise.all([closeRedis(), closeDb()]);
});

const buys = async () => {
  const { userId } = await makeUser();
  const { saleId } = sale;
  return (await sendPurchase(web.origin, { saleId, gate }, tokenFor(saleId, userId))).status;
};

describe('a web process that is busy', () => {
  it('[J6] has the first features switched off everywhere, until its load is gone', async () => {
    await setAll({});
    const { saleId } = sale;
    expect(isOn('search')).toBe(true);
    const busy = await startFastPath({ env: { SHED_ABOVE: '8' } });
    let isOver = false;
    const client = async () => {
      while (!isOver)
        await fetch(`${busy.origin}/api/sales/${saleId}/state?clock=1`).then((answer) => answer.text());
    };
    const clients = Promise.all(Array.from({ length: 16 }, client));
    try {
      await eventually(() => expect(isOn('search')).toBe(false), 100);
      expect(await find('search')).toMatchObject({ offBy: 'load', mode: 'by_load' });
      expect(await buys()).toBe(202);
    } finally {
      isOver = true;
      await clients;
      await busy.stop();
    }
    await eventually(() => expect(isOn('search')).toBe(true), 100);
  });
});

describe('a purchase', () => {
  it('[J6] succeeds with every side feature off', async () => {
    for (const feature of SIDE_FEATURES) await set(feature, 'off');
    await pause(WITHIN_MS);
    expect(await Promise.all(Array.from({ length: 20 }, buys))).toEqual(Array(20).fill(202));
    await setAll({});
  });

  it('[J6] succeeds while what stands behind each of them fails', async () => {
    const BEHIND = {
      side_features: 'the switchboard itself',
      refusals: 'why',
      notifications: 'notices',
      risk_rules: 'risk',
      risk_hits: 'risk',
      blocks: 'risk',
      outgoing_messages: 'notices and reminders',
      audit_entries: 'search',
    };
    await set('why', 'off');
    await pause(WITHIN_MS);
    for (const table of Object.keys(BEHIND)) {
      await db().$executeRawUnsafe(`ALTER TABLE ${table} RENAME TO ${table}_gone`);
      try {
        // Longer than every list is read again.
        await pause(600);
        expect(await buys(), table).toBe(202);
        if (table === 'side_features')
          // The last setting stays in force.
          expect(isOn('why')).toBe(false);
      } finally {
        await db().$executeRawUnsafe(`ALTER TABLE ${table}_gone RENAME TO ${table}`);
      }
    }
    await set('why', 'on');
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { expect, test } from '@playwright/test';
import { newShopper } from '../support/accounts';
import { Client } from '../support/client';
import { enter, gateOf, newSale, purchase } from '../support/sales';

const SHOPPERS = 8;
const LOOPS_PER_PROCESSOR = 4;
/** A loop without its parent ends: Ctrl-C does not reach it. */
const LOOP = "console.log('on'); for (const parent = process.ppid; process.ppid === parent; );";

/** Keeps every processor busy until the work is done. */
async function besideLoops(work: () => Promise<void>): Promise<void> {
  const loops = Array.from({ length: LOOPS_PER_PROCESSOR * availableParallelism() }, () =>
    spawn(process.execPath, ['-e', LOOP], {
      // Linux shares the processors among sessions, so each loop has one of its own.
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
  try {
    await Promise.all(loops.map(({ stdout }) => once(stdout, 'data')));
    await work();
  } finally {
    for (const loop of loops) loop.kill('SIGKILL');
  }
}

test('[P13] beside endless loops on every processor, shoppers sign in with a password, enter and buy', async () => {
  const shoppers = await Promise.all(Array.from({ length: SHOPPERS }, newShopper));
  const { saleId } = await newSale({ totalStock: SHOPPERS });
  const gate = await gateOf(saleId);
  await besideLoops(async () => {
    const answers = await Promise.all(
      shoppers.map(async ({ email, password }) => {
        const client = new Client();
        const { status } = await client.post('/api/auth/callback/credentials', {
          email,
          password,
          locale: 'en',
        });
        if (status !== 200) return status;
        return (await purchase(saleId, gate, await enter({ client }, saleId))).status;
      }),
    );
    expect(answers).toEqual(shoppers.map(() => 202));
  });
});

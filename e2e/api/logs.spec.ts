import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import { newShopper } from '../support/accounts';
import { Client } from '../support/client';
import { buy, expectOrder, newSale } from '../support/sales';

const logs = resolve(import.meta.dirname, '../..', process.env.E2E_DATA_DIR ?? '.data', 'logs');

type Line = { file: string; msg: string; saleIds?: string[]; requestId?: string };

/** Returns what all processes have logged about an order, in order of time. */
function linesAbout(orderNo: string): Line[] {
  const found = readdirSync(logs)
    // A log that has grown too large goes on in a new file.
    .filter((name) => /\.log(?:\.1)?$/.test(name))
    .flatMap((name) =>
      readFileSync(join(logs, name), 'utf8')
        .split('\n')
        // The text after the last line break is still being written.
        .slice(0, -1)
        .filter((line) => line.startsWith('{') && line.includes(`"${orderNo}"`))
        .map((line) => ({
          ...(JSON.parse(line) as Line & { time: string }),
          file: name.replace(/\.1$/, ''),
        })),
    );
  return found.sort((a, b) => a.time.localeCompare(b.time));
}

test('[J2] an order number finds what every process did with it, and no log holds an address or what opens a payment page', async () => {
  const [shopper, { saleId }] = await Promise.all([newShopper(), newSale()]);
  const orderNo = await buy(shopper, saleId);
  const { body } = await shopper.client.post(`/api/orders/${orderNo}/pay`);
  const token = new URL(String(body.redirectUrl), 'http://x').searchParams.get('token');
  const pay = `/api/payments/sandbox/${body.paymentId}/pay`;
  for (const page of [String(body.redirectUrl), `/api/payments/sandbox/${body.paymentId}?token=${token}`])
    expect((await new Client().get(page)).status).toBe(200);
  expect((await new Client().post(pay, { token })).body).toMatchObject({ status: 'succeeded' });
  await expectOrder(shopper, orderNo, 'paid');

  // Ignores the order: a slow worker may log that it has sent a message after another process has logged what it did
  // with it.
  const chain = () => [...new Set(linesAbout(orderNo).map(({ file, msg }) => `${file}: ${msg}`))].sort();
  await expect
    .poll(chain, { timeout: 150_000 })
    // A busy machine may have tried something again, and says so in further lines.
    .toEqual(
      expect.arrayContaining([
        'web.log: orders written',
        'web.log: paid units confirmed',
        'web.log: payment callback',
        'worker.log: accepted purchases sent',
      ]),
    );
  const about = (said: string) => linesAbout(orderNo).find(({ msg }) => msg === said);
  const [sent, written] = [about('accepted purchases sent'), about('orders written')];
  const callback = about('payment callback');
  for (const line of [sent, written]) expect(line?.saleIds).toContain(saleId);
  expect(callback?.requestId).toMatch(/^[0-9a-f-]{36}$/);
  const everything = readdirSync(logs).map((name) => readFileSync(join(logs, name), 'utf8'));
  expect(everything.filter((text) => text.includes(shopper.email))).toEqual([]);
  expect(everything.filter((text) => token !== null && text.includes(token))).toEqual([]);
});

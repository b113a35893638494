import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LogReceipt } from '@/lib/contract/shapes/decision-log';
import { publishLogs } from '@/lib/decision-log/publish-logs';
import { readLogReceipt } from '@/lib/decision-log/read-log-receipt';
import { streamLeaves } from '@/lib/decision-log/stream-leaves';
import { buyForAll, createSaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { createOrders } from '@/lib/settlement/create-orders';

const folder = mkdtempSync(join(tmpdir(), 'prove-'));
afterAll(() => rmSync(folder, { recursive: true }));

let receipt: LogReceipt;
let log = '';
beforeAll(async () => {
  const sale = await createSaleFixture();
  await createOrders({ saleId: sale.saleId, orders: await buyForAll(sale) });
  await publishLogs();
  receipt = (await readLogReceipt(sale.saleId, sale.userIds[0] as string)) as LogReceipt;
  for await (const piece of streamLeaves(sale.saleId, receipt.head.size)) log += piece;
});

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** Runs the command without any setting of a shop: it asks no server. */
const prove = (...args: string[]) =>
  new Promise<{ code: number; text: string }>((done) => {
    const command = [
      '--import',
      './scripts/before-command.mjs',
      '--import',
      'tsx',
      '--conditions=react-server',
    ];
    const options = {
      cwd: resolve(import.meta.dirname, '..'),
      env: { PATH: process.env.PATH, NODE_ENV: 'test' as const },
    };
    execFile(process.execPath, [...command, 'scripts/prove.ts', ...args], options, (error, out, err) =>
      done({ code: Number(error?.code ?? 0), text: out + err }),
    );
  });

it('[M4] npm run prove checks a receipt, a head and the whole log without a server', async () => {
  const good = file('receipt.json', receipt);
  const all = await prove(
    '--receipt',
    good,
    '--head',
    file('head.json', { data: receipt.head }),
    '--log',
    file('log', log),
  );
  expect(all.text).toContain('✓ Both heads are the same.');
  expect(all.text).toContain('✓ All 3 decisions of the log recomputed: {"accepted":3}');
  expect(all.text).toContain('Not proven by this');
  expect(all.code).toBe(0);
});

it('[M4] npm run prove refuses what was changed, and says what is no receipt', async () => {
  const good = file('receipt.json', receipt);
  const changed = file('changed.json', JSON.stringify(receipt).replace('\\"units\\":1', '\\"units\\":2'));
  const [bad, shorter, swapped, none, nothing] = await Promise.all([
    prove('--receipt', changed),
    prove('--receipt', good, '--log', file('short', log.slice(0, log.indexOf('\n') + 1))),
    prove('--receipt', good, '--log', file('swapped', log.trimEnd().split('\n').reverse().join('\n'))),
    prove('--receipt', join(folder, 'none')),
    prove(),
  ]);
  expect([bad.code, shorter.code, swapped.code, none.code, nothing.code]).toEqual([1, 1, 1, 2, 2]);
  expect(bad.text).toContain('is not in the log that was signed');
  expect(shorter.text).toContain('too_short');
  expect(swapped.text).toContain('other_root');
  expect(none.text).toContain("can't be read");
});

it('[M4] npm run prove takes no other head whose signature it can’t check, whichever key that names', async () => {
  const good = file('receipt.json', receipt);
  const signature = 'A'.repeat(86);
  const heads = [{ signature }, { keyId: 'f'.repeat(43) }, { keyId: 'f'.repeat(43), signature }];
  const [unsigned, ...otherKeys] = await Promise.all(
    heads.map((head, at) =>
      prove('--receipt', good, '--head', file(`head-${at}`, { ...receipt.head, ...head })),
    ),
  );
  expect(unsigned?.text).toContain('The signature of the other head is wrong.');
  for (const { text } of otherKeys)
    expect(text).toContain('The other head names a key that is not the receipt');
  for (const said of [unsigned, ...otherKeys]) {
    expect(said?.code).toBe(1);
    expect(said?.text).not.toContain('Both heads are the same.');
  }
});

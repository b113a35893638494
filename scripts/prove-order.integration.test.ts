import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runDraws } from '@/lib/checkout/draw/run-draws';
import { createDrawFixture } from '@/lib/checkout/draw/testing/draw-fixture';
import { joinSaleLine } from '@/lib/checkout/line/join-sale-line';
import { tendLines } from '@/lib/checkout/line/tend-lines';
import type { OrderFile } from '@/lib/contract/shapes/line-proof';
import { headText } from '@/lib/decision-log/proof/head-text';
import { type SigningKey, signingKey } from '@/lib/decision-log/signing-key';
import { streamLeaves } from '@/lib/decision-log/stream-leaves';
import { createLineSale, startsIn } from '@/test/support/line-sale';
import { runProve } from '@/test/support/run-prove';
import { signedOrder } from '@/test/support/signed-order';

const folder = mkdtempSync(join(tmpdir(), 'prove-order-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Proven = { file: OrderFile; log: string };
const made: Record<string, Proven> = {};

async function withLog(saleId: string): Promise<Proven> {
  const file = await signedOrder(saleId);
  let log = '';
  for await (const piece of streamLeaves(saleId, file.signed.head.size)) log += piece;
  return { file, log };
}

beforeAll(async () => {
  const draw = await createDrawFixture({ users: 8, weights: 'level' });
  await runDraws(async () => undefined);
  made.draw = await withLog(draw.saleId);
  const line = await createLineSale({ users: 8 });
  for (const userId of line.userIds)
    await joinSaleLine(
      line.saleId,
      { userId, device: '', level: 0, createdAt: 0, emailVerifiedAt: 1 },
      { address: null },
    );
  await startsIn(line, 0);
  await tendLines(null);
  made.line = await withLog(line.saleId);
});

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

it.each(['draw', 'line'])(
  '[M4] npm run prove --%s checks a list and the whole log without a server',
  async (kind) => {
    const { file: list, log } = made[kind] as Proven;
    const head = file(`${kind}-head`, list.signed.head);
    const { code, text } = await runProve(
      `--${kind}`,
      file(`${kind}.json`, list),
      '--log',
      file(`${kind}.log`, log),
      '--head',
      head,
    );
    expect(text).toContain('✓ The places of 8 entries follow from the seed');
    expect(text).toContain('✓ Everybody in the list joined as it says, by the log.');
    expect(text).toContain('✓ Both heads are the same.');
    expect(text).toMatch(/✓ All \d+ decisions of the log recomputed/);
    expect(code).toBe(0);
  },
);

it('[M4] npm run prove --draw catches a changed list, a changed log, and two histories', async () => {
  const { file: list, log } = made.draw as Proven;
  const good = file('good.json', list);
  const [first, second, ...rest] = list.entries;
  const swapped = [{ ...first, place: second?.place }, { ...second, place: first?.place }, ...rest];
  // A head that the shop signed for somebody else, of the same size.
  const { signature: _, ...fields } = { ...list.signed.head, root: 'A'.repeat(43) };
  const forked = { ...fields, signature: (signingKey() as SigningKey).sign(headText(fields)) };
  const lines = log.trimEnd().split('\n');
  const without = lines.filter((line) => !line.includes('"kind":"entered"') || !line.includes('"number":3}'));
  const cases: [string[], number, string][] = [
    [
      ['--draw', file('swapped.json', { ...list, entries: swapped })],
      1,
      'the order that follows is another one',
    ],
    [['--draw', file('dropped.json', { ...list, entries: rest })], 1, 'somebody was put in or taken out'],
    [
      ['--draw', good, '--head', file('forked', forked)],
      1,
      'Two heads of one size differ: the log was forked.',
    ],
    [
      ['--draw', good, '--log', file('without', without.join('\n'))],
      1,
      'somebody did not join so (number 3)',
    ],
    [['--draw', good, '--log', file('shorter', lines.slice(0, -1).join('\n'))], 1, 'too_short'],
    [['--line', good], 2, 'is the list of a draw'],
    [['--draw', good, '--receipt', good], 2, 'one of --receipt, --draw and --line needs a file'],
    [['--draw', ''], 2, 'one of --receipt, --draw and --line needs a file'],
    [['--draw', file('none.json', '{}')], 1, 'this is no list of ours'],
    [['--draw', join(folder, 'none')], 2, "can't be read"],
  ];
  for (const [args, code, says] of cases) {
    const answer = await runProve(...args);
    expect([answer.code, answer.text]).toEqual([code, expect.stringContaining(says)]);
  }
});

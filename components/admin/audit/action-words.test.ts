import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import en from '@/messages/en.json';
import zh from '@/messages/zh-CN.json';

const desk = join(import.meta.dirname, '../../../lib/desk');

/** What an action is recorded as; the verb of a dead letter is put in as it happens. */
const RECORDED =
  /['`]((?:sale|product|order|approval|message|dead_letter|block|risk|alert|alert_rule|user)\.[a-z_]+)['`]/g;

test('[L4] every action of the desk that the audit log may hold has words in both languages', () => {
  const files = readdirSync(desk, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /(?<!\.test)\.ts$/.test(path),
  );
  const recorded = new Set([
    ...files.flatMap((path) =>
      [...readFileSync(join(desk, path), 'utf8').matchAll(RECORDED)].map(([, action = '']) => action),
    ),
    ...['dead_letter.retry', 'dead_letter.discard'],
  ]);
  expect(recorded.size).toBeGreaterThan(25);
  for (const { DeskAudit } of [en, zh])
    expect(Object.keys(DeskAudit.actions)).toEqual(
      expect.arrayContaining([...recorded].map((action) => action.replace('.', '_'))),
    );
});

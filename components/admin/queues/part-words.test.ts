import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TOPICS } from '@/lib/contract/words/queue';
import * as functions from '@/lib/order/records/consumer-names';
import en from '@/messages/en.json';
import zh from '@/messages/zh-CN.json';

const root = join(import.meta.dirname, '../../..');

/** Finds the ids of the executor's functions, and the names of the parts that give up messages themselves. */
const NAMED = /\bid: '([a-z-]+)', triggers|\bconsumer: '([a-z-]+)'|\bRELAY = '([a-z-]+)'/g;

const namedIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.test)\.ts$/.test(path))
    .flatMap((path) => [...readFileSync(join(root, folder, path), 'utf8').matchAll(NAMED)])
    .flatMap(([, ...names]) => names.filter(Boolean));

test('[L4 E6] every part that runs or gives up messages has words in both languages', () => {
  const names = new Set([
    ...Object.values(functions),
    ...TOPICS,
    ...namedIn('inngest/functions'),
    ...namedIn('lib'),
  ]);
  expect([...names]).toEqual(expect.arrayContaining(['sweep', 'relay', 'settle-released', 'mail']));
  for (const { AdminQueues } of [en, zh])
    expect(Object.keys({ ...AdminQueues.parts, ...AdminQueues.topics })).toEqual(
      expect.arrayContaining([...names]),
    );
});

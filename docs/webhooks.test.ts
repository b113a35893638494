import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { webhookEvent } from '@/lib/contract/shapes/webhook';
import { TEST_KIND, WEBHOOK_KINDS } from '@/lib/contract/words/webhook';

const DOCUMENT = readFileSync(join(import.meta.dirname, 'WEBHOOKS.md'), 'utf8');

it('[O6] WEBHOOKS.md names every kind of event, and its examples are events', () => {
  const named = [...DOCUMENT.matchAll(/^\| `([a-z_]+\.[a-z_]+)` \|/gm)].map(([, kind]) => kind);
  expect(named).toEqual([...WEBHOOK_KINDS, TEST_KIND]);
  const examples = [...DOCUMENT.matchAll(/```json\n(.+)\n```/g)].map(([, text = '']) => JSON.parse(text));
  expect(examples).toHaveLength(3);
  for (const example of examples) expect(webhookEvent.parse(example)).toEqual(example);
});

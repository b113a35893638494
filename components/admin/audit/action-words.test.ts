import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import en from '@/messages/en.json';
import zh from '@/messages/zh-CN.json';

const lib = join(import.meta.dirname, '../../../lib');

/**
 * Finds the names under which the code records actions. The verb of a dead letter's action is put in at run time, so
 * this doesn't find it.
 */
const RECORDED =
  /['`]((?:sale|product|shop|order|approval|message|dead_letter|campaign|block|risk|alert|alert_rule|user|side_feature|invitation|session|account|access|password|export|level|backup)\.[a-z_]+)['`]/g;

/** Finds the kinds of things that actions are recorded for. */
const SUBJECTS = /subject(?::| =|Of = .*?=>) \(?\{ kind: '([a-z_]+)'/g;

const sources = readdirSync(lib, { recursive: true, encoding: 'utf8' })
  .filter((path) => /(?<!\.test)\.ts$/.test(path))
  .map((path) => readFileSync(join(lib, path), 'utf8'));

test('[L4] every kind of thing that the audit log may name has words in both languages', () => {
  const kinds = new Set(
    sources.flatMap((source) => [...source.matchAll(SUBJECTS)].map(([, kind = '']) => kind)),
  );
  expect(kinds.size).toBeGreaterThan(10);
  for (const { AdminAudit } of [en, zh])
    expect(Object.keys(AdminAudit.kinds)).toEqual(expect.arrayContaining([...kinds]));
});

test('[L4] every action of the admin area that the audit log may hold has words in both languages', () => {
  const recorded = new Set([
    ...sources.flatMap((source) => [...source.matchAll(RECORDED)].map(([, action = '']) => action)),
    'dead_letter.retry',
    'dead_letter.discard',
  ]);
  expect(recorded.size).toBeGreaterThan(25);
  for (const { AdminAudit } of [en, zh])
    expect(Object.keys(AdminAudit.actions)).toEqual(
      expect.arrayContaining([...recorded].map((action) => action.replace('.', '_'))),
    );
});

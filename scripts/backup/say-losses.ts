import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { sentence } from '../infra/problem.mjs';
import { findUnknown, type Unknown } from './find-unknown';

type Place = { databaseUrl: string; redisUrl: string | undefined; dataDir: string; takenAt: string };

/** More are in the output of `--json`. */
const MOST_NAMED = 20;

/**
 * Says what is lost of the time after the backup, and what the next start brings back, as far as somebody knows it.
 * `unknown`: the purchases that Redis has and the backup has not; null without a Redis to ask.
 */
export async function sayLosses(place: Place): Promise<{ lines: string[]; unknown: Unknown[] | null }> {
  const { databaseUrl, redisUrl, dataDir, takenAt } = place;
  const end = await auditEnd(databaseUrl);
  const audit = `The audit log ends with entry ${end.id}, hash ${end.hash}: later entries are lost.`;
  if (!redisUrl) {
    const kept = join(dataDir, 'redis');
    const line = existsSync(kept)
      ? `${kept} is kept: the next start makes orders of the purchases that it knows and the backup lacks.`
      : `What was accepted after ${takenAt} is lost, unless you keep a Redis that knows it: see docs/BACKUP.md before the first start.`;
    return { lines: [line, audit], unknown: null };
  }
  try {
    const unknown = await findUnknown(redisUrl, databaseUrl);
    return {
      lines: [
        ...(unknown.length ? inWords(unknown) : ['Redis knows no purchase that the backup lacks.']),
        audit,
      ],
      unknown,
    };
  } catch (error) {
    const line = `Redis could not be asked for purchases that the backup lacks (${sentence(error)}).`;
    return { lines: [line, audit], unknown: null };
  }
}

function inWords(unknown: readonly Unknown[]): string[] {
  const count = unknown.reduce((sum, { orderNos }) => sum + orderNos.length, 0);
  return [
    `Redis knows ${count} purchases that the backup lacks. The next start makes them orders:`,
    ...unknown.map(({ saleId, orderNos }) => {
      const more = orderNos.length > MOST_NAMED ? `, and ${orderNos.length - MOST_NAMED} more` : '';
      return `  sale ${saleId}: ${orderNos.slice(0, MOST_NAMED).join(', ')}${more}`;
    }),
  ];
}

async function auditEnd(databaseUrl: string): Promise<{ id: string; hash: string }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query('SELECT id::text, hash FROM audit_head')).rows[0];
  } finally {
    await client.end();
  }
}

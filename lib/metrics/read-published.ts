import 'server-only';
import { nowMs } from '@/lib/clock';
import { cacheRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { type ProcessFigures, PUBLISH_EVERY_MS } from './publish-figures';

/** A process silent for so long has ended or hangs, and its figures say nothing about now. */
const SILENT_AFTER_MS = 4 * PUBLISH_EVERY_MS;

/** Reads the figures of every live process, on all machines. Removes those of the others. @throws connection errors */
export async function readPublished(): Promise<ProcessFigures[]> {
  const redis = cacheRedis();
  const fields = await redis.hgetall(keys.processFigures());
  const live: ProcessFigures[] = [];
  const gone: string[] = [];
  for (const [field, text] of Object.entries(fields)) {
    const figures = JSON.parse(text) as ProcessFigures;
    if (figures.at > nowMs() - SILENT_AFTER_MS) live.push(figures);
    else gone.push(field);
  }
  if (gone.length > 0) await redis.hdel(keys.processFigures(), ...gone);
  return live;
}

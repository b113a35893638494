import 'server-only';
import { nowMs } from '@/lib/clock';
import type { ReconcileProgress } from '@/lib/contract/shapes/reconcile';
import { RECONCILE_STAGES, type ReconcileStage } from '@/lib/contract/words/reconcile';
import { cacheRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

const TELL_EVERY_MS = 250;
/** Longer than any single step takes. After this the progress of a process that died disappears. */
const TTL_MS = 30_000;

/** Reports progress: `total` is an estimate. Does not wait, and may get lost. */
export type Tell = (stage: ReconcileStage, done?: number, total?: number) => void;

/** Publishes the progress of a sale's reconciliation, so that every process can show it. */
export function openProgress(saleId: string): { tell: Tell; end: () => Promise<void> } {
  const key = keys.reconcileProgress(saleId);
  let told = { stage: '', at: 0 };
  return {
    tell: (stage, done = 0, total = 0) => {
      const at = nowMs();
      if (stage === told.stage && at - told.at < TELL_EVERY_MS) return;
      told = { stage, at };
      const progress: ReconcileProgress = { stage, done, total: Math.max(done, total) };
      cacheRedis()
        .set(key, JSON.stringify(progress), 'PX', TTL_MS)
        .catch(() => {});
    },
    end: async () => {
      await cacheRedis()
        .del(key)
        .catch(() => {});
    },
  };
}

/** Returns the progress of a sale's reconciliation; null: none is running, or it can't be read. */
export async function readProgress(saleId: string): Promise<ReconcileProgress | null> {
  const json = await cacheRedis()
    .get(keys.reconcileProgress(saleId))
    .catch(() => null);
  const progress = json === null ? null : (JSON.parse(json) as ReconcileProgress);
  return progress && RECONCILE_STAGES.includes(progress.stage) ? progress : null;
}

import { processWide } from '@/lib/process-wide';
import 'server-only';
import type { Redis } from 'ioredis';
import { env } from '@/lib/env';
import { OutageError } from '@/lib/errors/outage-error';
import { limitMs } from '@/lib/time-limits';
import { serverOf } from './ask-server-of';
import { confirmingRedis, stockRedis } from './client';

const LOOK_EVERY_MS = 10;

type Confirmer = {
  redis: Redis;
  /** Rises whenever the connection is lost: what was written before may be on another server now, or nowhere. */
  life: number;
  running?: Promise<void>;
  next?: Promise<void>;
};
/** Says where a write goes, before it is sent. */
type Stamp = { confirmer: Confirmer; life: number; markKey: string };

const held = processWide('replicas-ack', () => new Map<string, Confirmer>());

/** How often replicas were waited for, and in time or not. */
type ReplicaAcks = { confirmed: number; missing: number };
const acks = processWide('replica-acks', (): ReplicaAcks => ({ confirmed: 0, missing: 0 }));

/** Returns what this process has counted since it started: purchases, by whether enough replicas had them in time. */
export const readReplicaAcks = (): Readonly<ReplicaAcks> => acks;

/**
 * Prepares to have a write confirmed. Call it before the write is sent.
 * @param key of the write
 * @param markKey a key of the same slot that may be set at any time
 * @throws OutageError if the server can't be asked within a second: then nothing may be written
 */
export async function stampFor(key: string, markKey: string): Promise<Stamp> {
  const confirmer = confirmerOf(serverOf(stockRedis(), key));
  const { redis } = confirmer;
  for (let waitedMs = 0; redis.status !== 'ready'; waitedMs += LOOK_EVERY_MS) {
    if (waitedMs >= limitMs('replicasReady'))
      throw new OutageError('no server can say what its replicas have');
    await new Promise((done) => setTimeout(done, LOOK_EVERY_MS));
  }
  return { confirmer, life: confirmer.life, markKey };
}

/**
 * Waits until enough replicas have everything that was written before this call. Writes that wait at the same time
 * share a question. It is asked on a connection of its own, since `WAIT` holds up whatever comes after it; and never
 * again on a new connection: a server promoted meanwhile would say yes to what it never got.
 * @throws OutageError if too few have it within half a second, or the server was lost: the outcome is open
 */
export async function confirmed(stamp: Stamp): Promise<void> {
  try {
    await awaitReplicas(stamp);
    acks.confirmed += 1;
  } catch (error) {
    acks.missing += 1;
    throw error;
  }
}

async function awaitReplicas({ confirmer, life, markKey }: Stamp): Promise<void> {
  if (confirmer.life === life) {
    // A question that was asked already may be older than this write, so it takes a new one.
    confirmer.next ??= follow(confirmer, markKey);
    await confirmer.next;
  }
  if (confirmer.life !== life)
    throw new OutageError('the server of the purchase was lost before its replicas answered');
}

async function follow(confirmer: Confirmer, markKey: string): Promise<void> {
  await confirmer.running?.catch(() => undefined);
  confirmer.next = undefined;
  confirmer.running = ask(confirmer.redis, markKey);
  return confirmer.running;
}

async function ask(redis: Redis, markKey: string): Promise<void> {
  const wanted = env().stockReplicasAck;
  // WAIT counts from the last write of its own connection: this one comes after those it is asked about.
  const [, count] = await Promise.all([
    redis.set(markKey, '1', 'PX', 60_000),
    redis.wait(wanted, limitMs('replicasConfirm')),
  ]);
  if (count < wanted) throw new OutageError(`${count} of ${wanted} replicas have the purchase`);
}

function confirmerOf(server: string): Confirmer {
  const known = held.get(server);
  if (known && known.redis.status !== 'end') return known;
  const made: Confirmer = { redis: confirmingRedis(server), life: 0 };
  made.redis.on('close', () => {
    made.life += 1;
  });
  held.set(server, made);
  return made;
}

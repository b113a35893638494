import 'server-only';
import { db } from '@/lib/db/client';

/** Reads the seed of a line, which nobody else may see before it has been used. @throws Error if there is no such line */
export async function readSeed(saleId: string): Promise<Uint8Array> {
  const { seed } = await db().line.findUniqueOrThrow({ where: { saleId }, select: { seed: true } });
  return seed;
}

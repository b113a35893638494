import 'server-only';
import { listBlocks } from '@/lib/block/list-blocks';
import type { AdminBlock, AdminBlockPage, BlockFilter, BlockView } from '@/lib/contract/shapes/block';
import type { Page } from '@/lib/contract/shapes/common';
import { db } from '@/lib/db/client';
import { readRefusals } from '@/lib/device/count-refusal';
import { isOutage } from '@/lib/errors/is-outage';

/** Returns one page of the blocklist for the admin area, newest first. @returns null for a foreign cursor. */
export async function listAdminBlocks(page: Page, filter: BlockFilter): Promise<AdminBlockPage | null> {
  const [list, refusedDevices] = await Promise.all([
    listBlocks(page, filter),
    readRefusals().catch((error: unknown) => {
      if (!isOutage(error)) throw error;
      return null;
    }),
  ]);
  if (!list) return null;
  return { blocks: await withEmails(list.blocks), nextCursor: list.nextCursor, refusedDevices };
}

export async function withEmails(blocks: readonly BlockView[]): Promise<AdminBlock[]> {
  const ids = blocks.flatMap(({ kind, value, by }) => (kind === 'user' ? [value, by] : [by]));
  const users = await db().user.findMany({ where: { id: { in: ids } }, select: { id: true, email: true } });
  const emails = new Map(users.map(({ id, email }) => [id, email]));
  return blocks.map((block) => ({
    ...block,
    email: block.kind === 'user' ? (emails.get(block.value) ?? null) : null,
    byEmail: emails.get(block.by) ?? null,
  }));
}

import 'server-only';
import { createHash } from 'node:crypto';
import type { Db } from '@/lib/db/client';
import { idOf, newId } from '@/lib/ids/new-id';
import { markProcessed } from '@/lib/outbox/mark-processed';
import type { Actor } from './actor';

/** The consumer name under which `markProcessed` remembers what each request asked for. */
const CREATED = 'admin-create';

type Once<T> =
  | { status: 'created' | 'repeated'; thing: T }
  /** The same request made another thing before. */
  | { status: 'made_otherwise' }
  /** Something else is in the way, such as a slug that is taken. */
  | { status: 'not_made' };

type Ways<T> = {
  /** Writes the thing under this id. @returns null if there is one, or something else is in the way */
  insert: (id: string) => Promise<T | null>;
  find: (id: string) => Promise<T | null>;
  /**
   * The shop that gets it, where the request's id follows from what is asked for: then the same wish of anybody of the shop
   * makes it once, however long ago. Left out: once for each request of the actor, while its mark is kept.
   */
  shopId?: string | undefined;
};

/**
 * Creates a thing once for each of the actor's requests: the request's id decides the thing's id. So a client that got
 * no answer sends the same request again, and gets what the first one made.
 * @param prefix of the thing's id
 * @param input what the client sent; without `requestId` every call creates a thing
 */
export async function createOnce<T>(
  tx: Db,
  actor: Actor,
  prefix: string,
  { requestId, ...content }: { requestId?: string },
  { insert, find, shopId }: Ways<T>,
): Promise<Once<T>> {
  const id = requestId === undefined ? newId(prefix) : idOf(prefix, `${shopId ?? actor.userId} ${requestId}`);
  const made = await insert(id);
  if (requestId === undefined) return made ? { status: 'created', thing: made } : { status: 'not_made' };
  const asked = createHash('sha256')
    .update(`${id} ${JSON.stringify(content)}`)
    .digest('base64url');
  if (made) {
    await markProcessed(tx, CREATED, [asked]);
    return { status: 'created', thing: made };
  }
  const before = await find(id);
  if (!before) return { status: 'not_made' };
  if (shopId !== undefined) return { status: 'repeated', thing: before };
  const same = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM processed_messages WHERE consumer = ${CREATED} AND message_id = ${asked}`;
  return same.length > 0 ? { status: 'repeated', thing: before } : { status: 'made_otherwise' };
}

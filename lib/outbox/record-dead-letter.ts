import 'server-only';
import { type Db, db } from '@/lib/db/client';
import { cutText } from '@/lib/human-text';

export type DeadLetterInput = {
  consumer: string;
  messageId: string;
  saleId?: string;
  orderNo?: bigint;
  payload: unknown;
  error: string;
  attempts?: number;
};

const MAX_ERROR_LENGTH = 2000;

/**
 * Records a message that will not be tried again. Once per consumer and message: a repetition changes nothing.
 * @returns whether it was new.
 */
export async function recordDeadLetter(letter: DeadLetterInput, client: Db = db()): Promise<boolean> {
  const written = await client.$executeRaw`
    INSERT INTO dead_letters (consumer, message_id, sale_id, order_no, payload, error, attempts)
    VALUES (${letter.consumer}, ${letter.messageId}, ${letter.saleId ?? null}, ${letter.orderNo ?? null},
            ${JSON.stringify(letter.payload)}::jsonb, ${cutText(letter.error, MAX_ERROR_LENGTH)}, ${letter.attempts ?? 1})
    ON CONFLICT (consumer, message_id) DO NOTHING`;
  return written === 1;
}

import 'server-only';
import { z } from 'zod';
import { type Breaker, createBreaker } from '@/lib/breaker/create-breaker';
import { env } from '@/lib/env';
import { deliverMail } from '@/lib/notify/send-mail';
import { isMessagesFault, type MessageConsumer } from '@/lib/outbox/consume-messages';
import { MessageRefused } from '@/lib/outbox/message-refused';
import { alertListMail, alertMail } from './alert-mail';
import { listSchema, noticeSchema } from './messages-for';
import { postAlert } from './post-alert';

const BATCH = 8;
const AT_A_TIME = 4;

const to = { to: z.email() };
const mailSchema = z.union([noticeSchema.extend(to), listSchema.extend(to)]);

/**
 * Creates the consumers that tell people and machines about alerts. Each has its own breaker, so one that is down
 * harms no other.
 */
export function createAlertConsumers(): { consumers: MessageConsumer[]; breakers: Breaker[] } {
  const guard = (service: string) => createBreaker({ service, isFault: (error) => !isMessagesFault(error) });
  const [mail, webhook] = [guard('alert-mail'), guard('alert-webhook')];
  const consumers: MessageConsumer[] = [
    {
      topic: 'alert-mail',
      batch: BATCH,
      concurrency: AT_A_TIME,
      gate: mail,
      deliver: async (messages) => {
        for (const { payload } of messages) {
          const mail = read(mailSchema, payload);
          await deliverMail(mail.kind === 'several' ? alertListMail(mail) : alertMail(mail));
        }
      },
    },
    {
      topic: 'alert-webhook',
      batch: BATCH,
      concurrency: AT_A_TIME,
      gate: webhook,
      deliver: async (messages) => {
        const target = env().alertWebhook;
        if (!target) throw new MessageRefused('ALERT_WEBHOOK_URL is not set any more');
        for (const { payload } of messages) await postAlert(target, read(noticeSchema, payload));
      },
    },
  ];
  return { consumers, breakers: [mail, webhook] };
}

function read<T>(schema: z.ZodType<T>, payload: unknown): T {
  const parsed = schema.safeParse(payload);
  if (!parsed.success) throw new MessageRefused(`not an alert: ${parsed.error.message}`);
  return parsed.data;
}

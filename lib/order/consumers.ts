import { limitMs } from '@/lib/time-limits';
import 'server-only';
import { type Breaker, createBreaker } from '@/lib/breaker/create-breaker';
import { sendMail } from '@/lib/notify/send-mail';
import type { Notice } from '@/lib/notify/types';
import { writeNotifications } from '@/lib/notify/write-notifications';
import { isMessagesFault, type MessageConsumer, type ServiceGate } from '@/lib/outbox/consume-messages';
import { MessageRefused } from '@/lib/outbox/message-refused';
import { type PointsWrite, writePoints } from '@/lib/points/write-points';
import { isOn } from '@/lib/switchboard/is-on';
import { readEachNotice, readNotices } from './read-notices';
import { readPointsWrites } from './read-points-writes';

/** The services that take points and mails. A test puts a failing one in their place. */
type SideServices = {
  writePoints(entries: readonly PointsWrite[]): Promise<unknown>;
  writeNotifications(notices: readonly Notice[]): Promise<unknown>;
  sendMail(notice: Notice): Promise<void>;
};

type Options = {
  services?: SideServices;
  halfOpenAfterMs?: number;
  /** Tells whether mails should wait now. Default: never. */
  holdsMails?: () => boolean;
};

const BATCH = 100;
const MAILS_AT_A_TIME = 4;

/**
 * Creates the consumers of everything that happens after payment, each with its own messages, loop and breaker. A
 * points or mail service that is down pauses only its own consumer. While notices are switched off, their messages wait.
 */
export function createConsumers({ services, halfOpenAfterMs, holdsMails = () => false }: Options = {}): {
  consumers: MessageConsumer[];
  breakers: Breaker[];
} {
  const side = services ?? { writePoints, writeNotifications, sendMail };
  const guard = (service: string) =>
    createBreaker({ service, halfOpenAfterMs, isFault: (error) => !isMessagesFault(error) });
  const [points, notifications, mail] = [guard('points'), guard('notifications'), guard('mail')];
  const consumers: MessageConsumer[] = [
    {
      topic: 'points',
      batch: BATCH,
      gate: points,
      deliver: async (messages) => void (await side.writePoints(await readPointsWrites(messages))),
    },
    {
      topic: 'in-app',
      batch: BATCH,
      gate: unless(() => !isOn('notices'), notifications),
      deliver: async (messages) => void (await side.writeNotifications(await readNotices(messages))),
    },
    {
      topic: 'mail',
      batch: BATCH,
      concurrency: MAILS_AT_A_TIME,
      startWithinMs: limitMs('mailStart'),
      gate: unless(() => !isOn('notices') || holdsMails(), mail),
      deliver: async (messages) => {
        for (const notice of await readNotices(messages)) await side.sendMail(notice);
      },
      prepare: async (messages) => {
        const notices = await readEachNotice(messages);
        return async ({ id }) => {
          const notice = notices.get(id);
          if (!notice || notice instanceof MessageRefused)
            throw notice ?? new MessageRefused(`message ${id} is of another batch`);
          await side.sendMail(notice);
        };
      },
    },
  ];
  return { consumers, breakers: [points, notifications, mail] };
}

/** Lets nothing through while it is held: it waits as it does while the service is down. */
const unless = (isHeld: () => boolean, breaker: Breaker): ServiceGate => ({
  get admits() {
    return isHeld() ? 'none' : breaker.admits;
  },
  run: breaker.run,
});

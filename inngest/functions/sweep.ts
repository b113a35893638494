import 'server-only';
import { cron, type Inngest } from 'inngest';
import { sweep } from '@/lib/payment/sweep';

/** Repeats, every minute, what timers and messages have missed. No retries: the next minute's run is one. */
export const sweepFunction = (inngest: Inngest) =>
  inngest.createFunction({ id: 'sweep', triggers: [cron('* * * * *')], retries: 0 }, ({ step }) =>
    step.run('sweep', sweep),
  );

import 'server-only';
import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel';
import type { BreakerState } from '@/lib/contract/words/breaker';
import { log } from '@/lib/http/log';
import { saveBreaker } from './save-breaker';

/** After this many failures in a row a service counts as down. */
const FAILURES = 5;
/** How long an open breaker waits before one call probes the service, ms. */
const HALF_OPEN_AFTER_MS = 10_000;

type Options = {
  /** Its name in the admin area. */
  service: string;
  /** Tells whether an error is the service's fault; others don't count. Default: every error counts. */
  isFault?: (error: unknown) => boolean;
  failures?: number;
  halfOpenAfterMs?: number;
};

export type Breaker = {
  readonly service: string;
  readonly state: BreakerState;
  /** How many calls the breaker would let through now. */
  readonly admits: 'all' | 'one' | 'none';
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Writes its state where the admin area can see it. */
  report(): Promise<void>;
};

const STATES: Record<CircuitState, BreakerState> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'half_open',
  [CircuitState.Isolated]: 'open',
};

/**
 * Makes a circuit breaker for one side service. It opens after 5 faults in a row, probes with one call 10 s later,
 * and closes if that succeeds. Each process has its own state; it is reported to Postgres at each change and by
 * `report`. (Nygard, Release It!, "Circuit Breaker")
 */
export function createBreaker(options: Options): Breaker {
  const {
    service,
    isFault = () => true,
    failures = FAILURES,
    halfOpenAfterMs = HALF_OPEN_AFTER_MS,
  } = options;
  const policy = circuitBreaker(handleWhen(isFault), {
    halfOpenAfter: halfOpenAfterMs,
    breaker: new ConsecutiveBreaker(failures),
  });
  let since = new Date();
  let lastError: string | null = null;
  const report = () => saveBreaker({ service, state: STATES[policy.state], since, lastError });

  policy.onFailure(({ reason }) => {
    const error = 'error' in reason ? reason.error : undefined;
    if (error !== undefined && isFault(error))
      lastError = error instanceof Error ? error.message : String(error);
  });
  policy.onStateChange((state) => {
    since = new Date();
    log.warn({ service, state: STATES[state], lastError }, 'circuit breaker changed');
    report().catch((err) =>
      log.warn({ service, err }, 'the state of a circuit breaker could not be reported'),
    );
  });
  return {
    service,
    get state() {
      return STATES[policy.state];
    },
    get admits() {
      if (policy.state === CircuitState.Closed) return 'all';
      const isDue = policy.state === CircuitState.Open && Date.now() - since.getTime() >= halfOpenAfterMs;
      return isDue ? 'one' : 'none';
    },
    run: (work) => policy.execute(work),
    report,
  };
}

import 'server-only';
import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel';
import type { BreakerState } from '@/lib/contract/words/breaker';
import { log } from '@/lib/http/log';
import { saveBreaker } from './save-breaker';

/** Failures in a row after which a service counts as down. */
const FAILURES = 5;
/** How long it is left alone until one call probes it, ms. */
const HALF_OPEN_AFTER_MS = 10_000;

type Options = {
  /** What the admin area calls it. */
  service: string;
  /** Errors that are not the service's fault don't count. Default: every error counts. */
  isFault?: (error: unknown) => boolean;
  failures?: number;
  halfOpenAfterMs?: number;
};

export type Breaker = {
  readonly service: string;
  readonly state: BreakerState;
  /** How many calls it would let through now. */
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
 * A circuit breaker for one side service: opens after 5 faults in a row, probes with one call 10 s later, closes when
 * that succeeds. Its state is this process's own; it is reported to Postgres at each change and by `report`.
 * (Nygard, Release It!, "Circuit Breaker")
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

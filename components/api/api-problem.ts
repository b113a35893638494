export interface ProblemField {
  path: string;
  message: string;
}

interface ProblemInit {
  status: number;
  code: string;
  retryAfterMs?: number | null;
  orderNo?: string | null;
  fields?: ProblemField[];
}

/** A refusal or failure of the server, or of the way to it, as one error type. `code` is the contract's stable code. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  /** How long the server asked us to wait, in ms; null if it didn't say. */
  readonly retryAfterMs: number | null;
  /** The order that stands in the way (LIMIT_REACHED). */
  readonly orderNo: string | null;
  readonly fields: ProblemField[];

  constructor({ status, code, retryAfterMs = null, orderNo = null, fields = [] }: ProblemInit) {
    super(`${status} ${code}`);
    this.name = 'ApiProblem';
    this.status = status;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
    this.orderNo = orderNo;
    this.fields = fields;
  }

  /** Whether the same request may succeed later without anything else changing. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

/** The code of any thrown value. */
export function problemCode(error: unknown): string {
  return error instanceof ApiProblem ? error.code : 'UNKNOWN';
}

/** Whether the same request may succeed later: true also for what no answer came to. */
export const isWorthRetrying = (error: unknown): boolean =>
  !(error instanceof ApiProblem) || error.isTransient;

export interface ProblemField {
  path: string;
  message: string;
}

interface ProblemInit {
  status: number;
  code: string;
  retryAfterMs?: number | null;
  expectedMs?: number | null;
  orderNo?: string | null;
  isOfCampaign?: boolean;
  isTooOften?: boolean;
  isTooMany?: boolean;
  available?: number | null;
  fields?: ProblemField[];
}

/** One error type for every refusal, server failure and network failure. `code` is the contract's stable code. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  /** How long the server asked the page to wait, in ms; null if it didn't say. */
  readonly retryAfterMs: number | null;
  /** When the visitor's turn probably comes, in ms, if they are in a line; else null. */
  readonly expectedMs: number | null;
  /** The order that prevents another purchase (LIMIT_REACHED). */
  readonly orderNo: string | null;
  /** True if the limit of a campaign over all its sales prevents it, and not the sale's own (LIMIT_REACHED). */
  readonly isOfCampaign: boolean;
  /** True if the shopper has bought here too often, and need not have anything (LIMIT_REACHED). */
  readonly isTooOften: boolean;
  /** True if the units asked for exceed the limit only together with those the shopper has (LIMIT_REACHED). */
  readonly isTooMany: boolean;
  /** How many units are left (SOLD_OUT): none, or fewer than were asked for. */
  readonly available: number | null;
  readonly fields: ProblemField[];

  constructor({
    status,
    code,
    retryAfterMs = null,
    expectedMs = null,
    orderNo = null,
    isOfCampaign = false,
    isTooOften = false,
    isTooMany = false,
    available = null,
    fields = [],
  }: ProblemInit) {
    super(`${status} ${code}`);
    this.name = 'ApiProblem';
    this.status = status;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
    this.expectedMs = expectedMs;
    this.orderNo = orderNo;
    this.isOfCampaign = isOfCampaign;
    this.isTooOften = isTooOften;
    this.isTooMany = isTooMany;
    this.available = available;
    this.fields = fields;
  }

  /** Tells whether the same request may succeed later although nothing else changes. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

/** Stands for LIMIT_REACHED in an attempt that met a campaign's limit. Units may be free again in a moment. */
export const CAMPAIGN_LIMIT = 'CAMPAIGN_LIMIT';

/** Stands for LIMIT_REACHED in an attempt of a shopper who has bought too often, and who may have no unit at all. */
export const BOUGHT_TOO_OFTEN = 'BOUGHT_TOO_OFTEN';

/** Stands for SOLD_OUT in an attempt that asked for more than are left. */
export const FEWER_LEFT = 'FEWER_LEFT';

/** Stands for LIMIT_REACHED in an attempt that asked for more than its shopper may still buy. */
export const ASKED_TOO_MANY = 'ASKED_TOO_MANY';

/** Returns the code of a refusal as an attempt keeps it. */
export function refusalOf({ code, isOfCampaign, isTooOften, isTooMany, available }: ApiProblem): string {
  if (isTooOften) return BOUGHT_TOO_OFTEN;
  if (isOfCampaign) return CAMPAIGN_LIMIT;
  if (isTooMany) return ASKED_TOO_MANY;
  return available ? FEWER_LEFT : code;
}

/** Returns the code of any thrown value. */
export function problemCode(error: unknown): string {
  return error instanceof ApiProblem ? error.code : 'UNKNOWN';
}

/** Says whether the same request may succeed later; also true when no answer came. */
export const isWorthRetrying = (error: unknown): boolean =>
  !(error instanceof ApiProblem) || error.isTransient;

/** Says whether staff or the load have switched off what was asked for. It comes back, but not at the next try. */
export const isSwitchedOff = (error: unknown): error is ApiProblem =>
  error instanceof ApiProblem && error.code === 'SWITCHED_OFF';

/** When to ask again for what is switched off, if the server doesn't say, in ms. */
const ASK_AGAIN_MS = 30_000;

/** The answer that something is switched off. */
export interface Off {
  /** How long to leave it alone, in ms. */
  offForMs: number;
}

/** Makes an answer of the refusal that something is switched off, so that asking again does not look like a first time. */
export function toOff(error: unknown): Off {
  if (isSwitchedOff(error)) return { offForMs: error.retryAfterMs ?? ASK_AGAIN_MS };
  throw error;
}

/** Says whether an answer is that something is switched off. */
export const isOff = (answer: object | undefined): answer is Off =>
  answer !== undefined && 'offForMs' in answer;

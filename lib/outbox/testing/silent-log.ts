import type { RelayLog } from '../types';

/** For tests that expect failures: logs nothing. */
export const silentLog: RelayLog = { info() {}, warn() {}, error() {} };

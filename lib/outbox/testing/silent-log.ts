import type { RelayLog } from '../types';

/** For tests that expect failures: says nothing. */
export const silentLog: RelayLog = { info() {}, warn() {}, error() {} };

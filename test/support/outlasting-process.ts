import { outlastStandstills } from './outlast-standstills';

/** For tests that run our commands: what Node loads before one, so that a standstill of the machine doesn't end it. */
outlastStandstills();

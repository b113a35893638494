import { describe, expect, it } from 'vitest';
import { isNewAccount, type ScoreFacts, scoreOf } from './score';

const HOUR_SEC = 3_600;
const ESTABLISHED: ScoreFacts = {
  accountAgeSec: 30 * 24 * HOUR_SEC,
  isEmailVerified: true,
  isDeviceKnown: true,
  deviceAgeSec: 24 * HOUR_SEC,
  deviceAccounts: 1,
  networkAccounts: 1,
  networkNewAccounts: 0,
  triesAMinute: 1,
  isBrowserOdd: false,
};
/** An account of a minute ago, on its first visit. */
const FRESH: ScoreFacts = {
  ...ESTABLISHED,
  accountAgeSec: 60,
  isEmailVerified: false,
  deviceAgeSec: 60,
  networkNewAccounts: 1,
};
const score = (facts: ScoreFacts): number => scoreOf(facts).score;

describe('[M9] the score of somebody who enters or joins', () => {
  it('is 0 for an established account, and for one of which nothing is known', () => {
    expect([scoreOf(ESTABLISHED), scoreOf({})]).toEqual([
      { score: 0, why: [] },
      { score: 0, why: [] },
    ]);
  });

  it('grows with each input, and says which, most points first', () => {
    const each: [Partial<ScoreFacts>, string, number][] = [
      [{ accountAgeSec: 60 }, 'account_new', 10],
      [{ accountAgeSec: 5 * HOUR_SEC }, 'account_new', 5],
      [{ isEmailVerified: false }, 'email_unverified', 5],
      [{ isDeviceKnown: false, deviceAgeSec: undefined }, 'device_unknown', 10],
      [{ deviceAgeSec: 60 }, 'device_new', 5],
      [{ deviceAccounts: 4 }, 'device_accounts', 20],
      [{ deviceAccounts: 100 }, 'device_accounts', 70],
      [{ networkAccounts: 1_001 }, 'network_accounts', 5],
      [{ triesAMinute: 21 }, 'pace', 10],
      [{ isBrowserOdd: true }, 'browser_odd', 10],
    ];
    for (const [facts, input, points] of each)
      expect(scoreOf({ ...ESTABLISHED, ...facts }).why, input).toEqual([{ input, points }]);
    const { score: most, why } = scoreOf({
      accountAgeSec: 0,
      isEmailVerified: false,
      isDeviceKnown: false,
      deviceAccounts: 600,
      networkAccounts: 10_000,
      networkNewAccounts: 10_000,
      triesAMinute: 100,
      isBrowserOdd: true,
    });
    expect(most).toBe(100);
    expect(why.map(({ points }) => points)).toEqual([70, 45, 20, 10, 10, 10, 10, 5]);
  });

  it('asks nobody for work who is merely new: 40 is where the rules we ship begin', () => {
    const firstRequest = { ...FRESH, isDeviceKnown: false, deviceAgeSec: undefined, isBrowserOdd: true };
    expect([score(FRESH), score(firstRequest)]).toEqual([20, 35]);
  });

  it('asks no family on one tablet, and no established office of 1,000 behind one address', () => {
    expect(score({ ...FRESH, deviceAccounts: 3 })).toBe(20);
    const office = { ...ESTABLISHED, networkAccounts: 1_000, networkNewAccounts: 200 };
    expect([score(office), score({ ...office, deviceAccounts: 3 })]).toEqual([0, 0]);
  });

  it('asks a farm of new accounts for more, the larger it is: on few devices, or behind few addresses', () => {
    const onDevice = [3, 4, 5, 6, 8].map((deviceAccounts) => score({ ...FRESH, deviceAccounts }));
    expect(onDevice).toEqual([20, 40, 55, 70, 90]);
    const behind = [20, 21, 101, 501].map((count) =>
      score({ ...FRESH, networkAccounts: count, networkNewAccounts: count }),
    );
    expect(behind).toEqual([20, 35, 50, 65]);
  });

  it('counts new neighbours against new accounts alone', () => {
    expect(isNewAccount({ accountAgeSec: 24 * HOUR_SEC })).toBe(false);
    expect([isNewAccount({}), isNewAccount({ accountAgeSec: 24 * HOUR_SEC - 1 })]).toEqual([false, true]);
  });
});

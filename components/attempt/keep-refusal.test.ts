import { describe, expect, it } from 'vitest';
import { ApiProblem } from '@/components/api/api-problem';
import { keepRefusal } from './keep-refusal';

const problem = (more: Partial<ApiProblem>) =>
  new ApiProblem({ status: 409, code: 'LIMIT_REACHED', ...more });

describe('[O2] what an attempt keeps of a refusal', () => {
  it('is how many are left, if fewer than were asked for, and asks for those next', () => {
    expect(keepRefusal(problem({ code: 'SOLD_OUT', available: 2 }))).toMatchObject({
      refusal: 'FEWER_LEFT',
      quantity: 2,
    });
    const none = keepRefusal(problem({ code: 'SOLD_OUT', available: 0 }));
    expect(none).toMatchObject({ refusal: 'SOLD_OUT' });
    expect(none).not.toHaveProperty('quantity');
  });

  it('is that fewer may be had, where only the number exceeded the limit', () => {
    expect(keepRefusal(problem({ isTooMany: true }))).toMatchObject({
      refusal: 'ASKED_TOO_MANY',
      quantity: 1,
    });
    expect(keepRefusal(problem({ orderNo: '7' }))).toEqual({
      refusal: 'LIMIT_REACHED',
      orderNo: '7',
      isUndecided: false,
    });
    expect(keepRefusal(problem({ isTooOften: true }))).not.toHaveProperty('quantity');
  });

  it('[A8] gives the token up at a campaign’s limit: a new one brings what is left', () => {
    expect(keepRefusal(problem({ isOfCampaign: true }))).toMatchObject({ quantity: 1, entry: null });
  });
});

import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiProblem } from '@/components/api/api-problem';
import { createOnce } from './once';

const lost = new ApiProblem({ status: 0, code: 'NETWORK' });
const taken = new ApiProblem({ status: 409, code: 'EMAIL_TAKEN' });

describe('[L3] what can be done only once', () => {
  const work = vi.fn<() => Promise<unknown>>();
  afterEach(() => work.mockReset());

  it('is not asked for again once it is done: what failed came after it', async () => {
    const once = createOnce('EMAIL_TAKEN');
    expect(await once('ann', work)).toBeNull();
    expect(await once('ann', work)).toBeNull();
    expect(work).toHaveBeenCalledTimes(1);
    await once('ben', work);
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('may have been done by a try whose answer was lost, and by no other', async () => {
    const once = createOnce('EMAIL_TAKEN');
    work.mockRejectedValue(taken);
    await expect(once('ann', work)).rejects.toBe(taken);
    work.mockRejectedValueOnce(lost);
    await expect(once('ann', work)).rejects.toBe(lost);
    expect(await once('ann', work)).toBe(taken);
    await expect(once('ben', work)).rejects.toBe(taken);
  });

  it.each([
    { status: 429, code: 'RATE_LIMITED' },
    { status: 422, code: 'VALIDATION' },
  ])('was not done where the server said $code', async (problem) => {
    const once = createOnce('EMAIL_TAKEN');
    work.mockRejectedValueOnce(new ApiProblem(problem)).mockRejectedValue(taken);
    await expect(once('ann', work)).rejects.toThrow(problem.code);
    await expect(once('ann', work)).rejects.toBe(taken);
  });
});

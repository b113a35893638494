import { describe, expect, it } from 'vitest';
import { variantChoice } from './variant-choice';

describe('[O3] the choice among variants', () => {
  it('is missing until one is chosen, and none is needed where there is one or none', () => {
    expect(variantChoice(3, 0, [5, 5, 5])).toMatchObject({ variant: 0, left: null, isMissing: true });
    expect(variantChoice(3, 2, [5, 4, 3])).toMatchObject({ variant: 2, left: 4, isMissing: false });
    expect(variantChoice(1, 0, [5])).toMatchObject({ variant: 1, left: 5, isMissing: false });
    expect(variantChoice(0, 0, undefined)).toMatchObject({ variant: 0, isMissing: false });
  });

  it('has to be made again when the chosen one sells out before the others, and holds when units come back', () => {
    expect(variantChoice(3, 2, [5, 0, 0])).toMatchObject({ isGone: true, hasOthers: true, isMissing: true });
    expect(variantChoice(3, 2, [5, 1, 0])).toMatchObject({ isGone: false, isMissing: false });
    // Then the whole sale is sold out, and its button says so.
    expect(variantChoice(3, 2, [0, 0, 0])).toMatchObject({ isGone: false, hasOthers: false });
    expect(variantChoice(1, 0, [0])).toMatchObject({ isGone: false, isMissing: false });
  });

  it('stands when the chosen one sells out and can be waited for', () => {
    const waited = variantChoice(3, 2, [5, 0, 0], true);
    expect(waited).toMatchObject({ left: 0, isGone: false, hasOthers: true, isMissing: false });
    expect(variantChoice(3, 0, [0, 0, 0], true)).toMatchObject({ isMissing: true });
  });

  it('does not depend on the units left before they are known', () => {
    expect(variantChoice(3, 2, undefined)).toMatchObject({ variant: 2, left: null, isMissing: false });
  });

  it('ignores a remembered variant that the sale does not have', () => {
    expect(variantChoice(2, 7, [1, 1])).toMatchObject({ variant: 0, isMissing: true });
    expect(variantChoice(0, 3, undefined)).toMatchObject({ variant: 0, isMissing: false });
  });
});

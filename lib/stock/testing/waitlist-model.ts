type ModelPlace = {
  userId: string;
  number: number;
  jti: string;
  orderNo: string;
  /** 0: the sale has none. */
  variant: number;
};

/** Models those who wait for units: a list for all variants, in the order of joining. */
export class WaitlistModel {
  waiting: ModelPlace[] = [];
  lastPlace = 0;

  find(userId: string): ModelPlace | undefined {
    return this.waiting.find((place) => place.userId === userId);
  }

  isAwaited(variant: number): boolean {
    return this.waiting.some((place) => place.variant === variant);
  }

  /** Puts a user at the end, unless the user waits already. */
  put(place: Omit<ModelPlace, 'number'>): void {
    if (this.find(place.userId)) return;
    this.lastPlace += 1;
    this.waiting.push({ ...place, number: this.lastPlace });
  }

  remove(userId: string): boolean {
    const before = this.waiting.length;
    this.waiting = this.waiting.filter((place) => place.userId !== userId);
    return this.waiting.length < before;
  }

  /** Returns the first who wait for each variant, as the scripts that give units want them. */
  due(most: number): { userId: string; orderNo: string; barredBy: null }[] {
    const variants = [...new Set(this.waiting.map(({ variant }) => variant))];
    return variants.flatMap((wished) =>
      this.waiting
        .filter(({ variant }) => variant === wished)
        .slice(0, most)
        .map(({ userId, orderNo }) => ({ userId, orderNo, barredBy: null })),
    );
  }
}

/** Keeps the cookies of one browser, by host; ports don't separate them, as in browsers. */
export class OpenIdBrowser {
  readonly #cookies = new Map<string, string>();

  cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  keep(response: Response): Response {
    for (const each of response.headers.getSetCookie()) {
      const [pair = ''] = each.split(';', 1);
      const at = pair.indexOf('=');
      const value = pair.slice(at + 1);
      if (value === '' || /max-age=0|expires=thu, 01 jan 1970/i.test(each))
        this.#cookies.delete(pair.slice(0, at));
      else this.#cookies.set(pair.slice(0, at), value);
    }
    return response;
  }

  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...(init.headers as Record<string, string>), cookie: this.cookie() };
    return this.keep(await fetch(url, { ...init, headers, redirect: 'manual' }));
  }

  /**
   * Signs in at a server of `startOpenIdServer`.
   * @param address to which the shop sent the browser
   * @param person as the server shall know them; null: cancels
   * @returns the address of the shop to which the server sends the browser back
   */
  async signInThere(
    address: string,
    person: { email: string; name?: string; verified?: boolean; sub?: string } | null,
  ): Promise<string> {
    const { origin } = new URL(address);
    const { verified = true, ...rest } = person ?? { email: '', verified: false };
    const form = new URLSearchParams(person ? rest : { cancel: '1' });
    if (verified) form.set('verified', '1');
    let next = address;
    let isAsked = true;
    for (let hops = 0; hops < 10; hops += 1) {
      const isForm = isAsked && next.includes('/interaction/');
      if (isForm) isAsked = false;
      const answer = await this.fetch(
        next,
        isForm
          ? {
              method: 'POST',
              body: form.toString(),
              headers: { 'content-type': 'application/x-www-form-urlencoded' },
            }
          : {},
      );
      const location = answer.headers.get('location');
      if (!location) throw new Error(`${next}: ${answer.status} ${await answer.text()}`);
      next = new URL(location, next).href;
      if (new URL(next).origin !== origin) return next;
    }
    throw new Error('the server led nowhere');
  }
}

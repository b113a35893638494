import type { Page } from '@playwright/test';

/**
 * Records everything the Content-Security-Policy blocks on every page opened from now on, in workers too. @returns
 * the records so far
 */
export async function watchPolicy(page: Page): Promise<string[]> {
  const noted: string[] = [];
  await page.exposeFunction('noteViolation', (what: string) => void noted.push(what));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) => {
      const note = (window as unknown as { noteViolation: (what: string) => void }).noteViolation;
      note(`${location.pathname}: ${effectiveDirective} ${blockedURI} ${sourceFile}`);
    });
  });
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) noted.push(message.text());
  });
  return noted;
}

/**
 * Returns what a page's policy lacks: it must name everything it allows, and allow no scripts but ours. Empty: it
 * lacks nothing.
 */
export function lackOf(policy: string | null): string[] {
  const directives = new Map(
    (policy ?? '').split('; ').map((text) => [text.split(' ', 1)[0], text.split(' ').slice(1)]),
  );
  const [own, ...hashes] = directives.get('script-src') ?? [];
  const lacks = [
    ['default-src', directives.get('default-src')?.join() === "'none'"],
    ['script-src', own === "'self'" && hashes.length > 0],
    ['hashes only', hashes.every((source) => /^'sha256-[\w+/]{43}='$/.test(source))],
    ...['style-src', 'img-src', 'font-src', 'connect-src', 'form-action'].map((name) => [
      name,
      directives.get(name)?.[0] === "'self'",
    ]),
    ...['object-src', 'frame-src', 'frame-ancestors', 'base-uri'].map((name) => [
      name,
      directives.get(name)?.join() === "'none'",
    ]),
  ] as const;
  return lacks.flatMap(([name, isThere]) => (isThere ? [] : [String(name)]));
}

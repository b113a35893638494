import { expect, it } from 'vitest';
import { isOddBrowser } from './is-odd-browser';

const CHROME =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';
const isOdd = (agent: string | null, language: string | null = 'en') =>
  isOddBrowser(
    new Headers(
      [
        ['user-agent', agent],
        ['accept-language', language],
      ].filter((pair): pair is [string, string] => pair[1] !== null),
    ),
  );

it('[M9] tells browsers that people use from programs that do not even pretend', () => {
  expect([isOdd(CHROME), isOdd(CHROME, 'zh-CN,zh;q=0.9')]).toEqual([false, false]);
  const odd = [
    isOdd(null),
    isOdd(''),
    isOdd('curl/8.5.0'),
    isOdd('python-requests/2.32'),
    isOdd(CHROME.replace('Chrome/', 'HeadlessChrome/')),
    isOdd(CHROME, null),
    isOdd('x'.repeat(100_000)),
  ];
  expect(odd).toEqual(odd.map(() => true));
});

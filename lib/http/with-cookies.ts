/** Adds `Set-Cookie` headers to an answer, and returns it. */
export function withCookies(answer: Response, setCookies: readonly string[]): Response {
  for (const cookie of setCookies) answer.headers.append('set-cookie', cookie);
  return answer;
}

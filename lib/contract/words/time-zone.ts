/** Tells whether this machine knows a time zone. @param name as the IANA database has it, for example `Asia/Shanghai` */
export function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

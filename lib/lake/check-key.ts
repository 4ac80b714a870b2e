/** The key itself, if it stays below the lake. Throws at an empty, `.` or `..` segment: a program error. */
export function checkKey(key: string): string {
  if (
    key.split('/').some((segment) => segment === '' || segment === '.' || segment === '..') ||
    key.includes('\0')
  ) {
    throw new Error(`${JSON.stringify(key)} is no key of a lake`);
  }
  return key;
}

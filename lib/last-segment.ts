/** Behind the name of a field in the setting `id`: the id is what stands behind the last slash of an address. */
export const LAST_SEGMENT = '/*';

/** The last segment of an address's path; of a text without a slash the text itself. */
export function lastSegment(text: string): string {
  if (!/[/?#%]/.test(text)) return text;
  const [path = ''] = text.split(/[?#]/, 1);
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  const segment = path.slice(path.lastIndexOf('/', end - 1) + 1, end);
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** A text of at most so many bytes of UTF-8; what was cut ends with …, which is not counted, and never within a character. */
export function cutToBytes(text: string, most: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  return `${new TextDecoder().decode(bytes.subarray(0, most), { stream: true })}…`;
}

/** As many of the first items as fit into so many bytes of JSON, and how many are left. */
export function cutList<Item>(
  items: readonly Item[],
  most: number,
): { readonly kept: readonly Item[]; readonly more: number } {
  let bytes = 0;
  const end = items.findIndex((item) => {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    return bytes > most;
  });
  return end === -1 ? { kept: items, more: 0 } : { kept: items.slice(0, end), more: items.length - end };
}

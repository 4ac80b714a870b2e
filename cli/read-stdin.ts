/** The text that is piped in, without the blanks that copying adds around it. */
export async function readStdin(): Promise<string> {
  return Buffer.concat(await process.stdin.toArray())
    .toString('utf8')
    .trim();
}
